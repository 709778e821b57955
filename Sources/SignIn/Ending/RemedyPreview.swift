package import Kernel
import Sessions

/// The number of things that a remedy would end now.
package struct EndedAccess: Sendable, Equatable {
    /// Sessions that can still get tokens.
    package var sessions = 0
    package var passkeys = 0
    /// Registered devices, with their keys and credentials.
    package var devices = 0
    /// Apps whose consent ends.
    package var consents = 0
    package var faces = 0
    package var passwords = 0
    /// Banks whose cards end.
    package var banks = 0

    package init() {}
}

/// Port: counts what a remedy would end.
package protocol DescentCounts: Sendable {
    /// Returns the number of rows of that kind that are valid at `now` and that ``DescentEnds/end(_:_:in:)`` would end.
    ///
    /// A device counts as ``Outcome/deviceKey``, a bank as ``Outcome/card``, and a client to which no consent stays as one
    /// ``Outcome/consent``. Kinds that last minutes are not counted.
    func count(
        _ outcome: Outcome,
        _ selection: Selection,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> Int
}

// What the remedies of operators would end, by the table that they are carried out by.
extension EndingService {
    /// Returns what the remedy would end of the account.
    package func preview(_ remedy: Remedy, of account: AccountID) async throws -> EndedAccess {
        try await unitOfWork.read { [self] transaction in
            try count(remedy, of: account, descent: [], in: transaction)
        }
    }

    /// Returns what ``revoke(_:of:in:)`` would end.
    package func preview(revoking session: SessionID, of account: AccountID) async throws -> EndedAccess {
        try await unitOfWork.read { [self] transaction in
            let sessions = try descent.descendants(of: [session], account, except: nil, in: transaction)
            return try count(.sessionRevoked, of: account, descent: Array(sessions), in: transaction)
        }
    }

    /// Returns what the revocation of the account's device would end.
    package func preview(revoking device: DeviceID, of account: AccountID) async throws -> EndedAccess {
        try await unitOfWork.read { [self] transaction in
            let roots = try store.sessions(on: [device], account, in: transaction)
            let sessions = try descent.descendants(of: roots, account, except: nil, in: transaction)
            return try count(.deviceRevoked, of: account, descent: Array(sessions), in: transaction)
        }
    }

    /// Returns what the removal of the account's passkey would end.
    package func preview(removing passkey: PasskeyID, of account: AccountID) async throws -> EndedAccess {
        try await unitOfWork.read { [self] transaction in
            let roots = try store.sessions(by: passkey, account, in: transaction)
            let sessions = try descent.descendants(of: roots, account, except: nil, in: transaction)
            return try count(.passkeyRemoved, of: account, descent: Array(sessions), in: transaction)
        }
    }

    /// `descent`: the sessions that end, if the remedy is about what descends from some.
    func count(
        _ remedy: Remedy,
        of account: AccountID,
        descent sessions: [SessionID],
        in transaction: borrowing Transaction
    ) throws -> EndedAccess {
        var ended = EndedAccess()
        let kinds: [(Outcome, WritableKeyPath<EndedAccess, Int>)] = [
            (.session, \.sessions), (.passkey, \.passkeys), (.deviceKey, \.devices), (.consent, \.consents),
            (.face, \.faces), (.password, \.passwords), (.card, \.banks),
        ]
        for (outcome, number) in kinds {
            let reach = remedy.reach(outcome)
            if reach == .itself { ended[keyPath: number] = 1 }
            let selection: Selection? =
                reach == .descent
                ? .descent(account, sessions) : selection(reach, of: account, except: nil)
            guard let selection else { continue }
            ended[keyPath: number] = try store.count(outcome, selection, at: environment.now(), in: transaction)
        }
        return ended
    }
}
