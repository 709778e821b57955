package import Kernel
import Operations
import Sessions

/// Ends and disowns single sessions for their account's owner.
package struct OwnSessions: Sendable {
    private let ending: EndingService

    package init(ending: EndingService) { self.ending = ending }

    /// Ends a session of the account with what descends from it, as an operator's `sessions revoke` does.
    ///
    /// - Parameters:
    ///   - session: The session to end.
    ///   - account: The owner's account.
    ///   - asking: The session of the request, which may be the same one.
    /// - Returns: `false` if the account has no such session. A session that has ended stays ended.
    /// - Throws: ``SessionEndedError``; ``StoreError``.
    package func end(_ session: SessionID, of account: AccountID, by asking: SessionID) async throws -> Bool {
        let isOwn = try await ending.unitOfWork.run { [ending] transaction in
            try ending.check(asking, of: account, in: transaction)
            guard try ending.owns(account, session, in: transaction) else { return false }
            let ended = try ending.descent.revoke(session, of: account, because: .signedOut, in: transaction)
            try ending.operations.end(.cancelRequested, of: account, startedBy: ended, in: transaction)
            return true
        }
        if isOwn { try await ending.settle(.sessionRevoked, of: account) }
        return isOwn
    }

    /// Ends every session of the account but the request's own, with what was begun in them.
    ///
    /// Means to sign in stay.
    /// - Returns: The number of ended sessions.
    /// - Throws: ``SessionEndedError``; ``StoreError``.
    package func endOthers(of account: AccountID, than asking: SessionID) async throws -> Int {
        let count = try await ending.unitOfWork.run { [ending] transaction in
            try ending.check(asking, of: account, in: transaction)
            try ending.operations.end(.cancelRequested, of: account, in: transaction) {
                $0.request.purpose.startedBy != asking
            }
            for outcome in [Outcome.webSession, .interaction, .code, .deviceCode] {
                try ending.store.end(outcome, .account(account, except: asking), in: transaction)
            }
            return try ending.sessions.revokeAll(
                of: account,
                except: asking,
                because: .signedOutEverywhere,
                in: transaction
            )
        }
        try await ending.settle(.signedOutEverywhere, of: account)
        return count
    }

    /// Ends a session that its owner disowns, with all that was set up in it, as "this wasn't me" does.
    ///
    /// `device` is the owner's own device, which stays.
    /// - Returns: `false` if the account has no such session.
    /// - Throws: ``SessionEndedError``; ``StoreError``.
    package func disown(
        _ session: SessionID,
        of account: AccountID,
        by asking: SessionID,
        keeping device: DeviceID?
    ) async throws -> Bool {
        let isOwn = try await ending.unitOfWork.run { [ending] transaction in
            try ending.check(asking, of: account, in: transaction)
            guard try ending.owns(account, session, in: transaction) else { return false }
            let ended = try ending.descent.disown(session, of: account, keeping: device, in: transaction)
            try ending.operations.end(.cancelRequested, of: account, startedBy: ended, in: transaction)
            return true
        }
        if isOwn { try await ending.settle(.notMe, of: account) }
        return isOwn
    }
}

extension EndingService {
    /// Checks that the session of a request is active.
    ///
    /// - Throws: ``SessionEndedError``.
    func check(_ session: SessionID, of account: AccountID, in transaction: borrowing Transaction) throws {
        guard try sessions.isOpen(session, of: account, in: transaction) else { throw SessionEndedError() }
    }

    /// Whether the session is the account's, active or not.
    fileprivate func owns(
        _ account: AccountID,
        _ session: SessionID,
        in transaction: borrowing Transaction
    ) throws -> Bool { try sessions.find(session, in: transaction)?.account == account }
}
