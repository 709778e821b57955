package import Accounts
package import Devices
package import Kernel
package import Operations
package import Passkeys
import Sessions

/// Ends what came of sign-ins: the one use case behind every remedy.
///
/// Owns: which remedy reaches what (``Remedy/reach(_:)``), and how it is carried out over all modules in one unit of work.
/// Must not: open anything, or decide who may ask. Survives: a crash at any point, since all that a remedy ends is one unit,
/// but for the sessions of a client, which ``resume()`` goes on with. What is live in memory follows with ``settle(_:of:)``,
/// and is refused by its row until then.
package struct EndingService: Sendable {
    package let descent: DescentEnding
    private let environment: Environment
    private let devices: OwnedDevices
    private let passkeys: OwnedPasskeys
    private let codes: any EmailCodeStore
    private let operations: OperationService
    let unitOfWork: any UnitOfWork

    var store: any DescentStore { descent.store }
    var sessions: SessionService { descent.sessions }

    package init(
        descent: DescentEnding,
        environment: Environment,
        devices: OwnedDevices,
        passkeys: OwnedPasskeys,
        codes: any EmailCodeStore,
        operations: OperationService,
        unitOfWork: any UnitOfWork
    ) {
        self.descent = descent
        self.environment = environment
        self.devices = devices
        self.passkeys = passkeys
        self.codes = codes
        self.operations = operations
        self.unitOfWork = unitOfWork
    }

    /// Ends, in the caller's unit of work, what the remedy takes of the account; returns how many sessions ended.
    ///
    /// ``settle(_:of:)`` follows once that is durable. `kept`: whose access stays, where the remedy keeps any.
    @discardableResult
    package func end(
        _ remedy: Remedy,
        of account: AccountID,
        except kept: KeptAccess? = nil,
        in transaction: borrowing Transaction
    ) throws -> Int {
        // First, so that they end for this and not for the device that goes with it.
        try operations.end(remedy.event, of: account, in: transaction, where: Self.isNot(startedBy: kept))
        for outcome in [Outcome.webSession, .interaction, .code, .deviceCode, .consent, .face, .password, .card] {
            guard let selection = selection(remedy.reach(outcome), of: account, except: kept) else { continue }
            try store.end(outcome, selection, in: transaction)
        }
        let ended = try sessions.revokeAll(of: account, except: kept?.session, because: remedy.reason, in: transaction)
        if remedy.reach(.passkey) == .all { try passkeys.removeAll(of: account, in: transaction) }
        if remedy.reach(.passkey) == .notOwn { try endMeans(of: account, except: kept, in: transaction) }
        if remedy.reach(.deviceKey) != .none { try endDevices(of: account, except: kept, in: transaction) }
        if remedy.reach(.mailedCode) == .all { try codes.endAll(of: account, at: environment.now(), in: transaction) }
        return ended
    }

    /// Ends one session by an operator's word, with what was opened out of it, in the caller's unit of work; `false` if
    /// nothing of it was left.
    package func revoke(
        _ session: SessionID,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        let ended = try descent.revoke(session, of: account, because: Remedy.sessionRevoked.reason, in: transaction)
        try operations.end(Remedy.sessionRevoked.event, of: account, startedBy: ended, in: transaction)
        return ended.isChanged
    }

    /// Ends, in the caller's unit of work, what the remedy takes of the client; returns how many sessions end.
    ///
    /// Of whatever account they are. ``settle(_:ofClient:)`` follows once that is durable, and ends the sessions: there may be
    /// any number, and one unit of all of them would keep every other write waiting.
    @discardableResult
    package func end(_ remedy: Remedy, ofClient client: String, in transaction: borrowing Transaction) throws -> Int {
        for outcome in [Outcome.webSession, .interaction, .code, .deviceCode, .consent]
        where remedy.reach(outcome) == .client {
            try store.end(outcome, .client(client), in: transaction)
        }
        try operations.end(remedy.event, ofClient: client, in: transaction)
        return try store.noteEnding(of: client, in: transaction)
    }

    /// Ends what is live in memory of what a remedy has ended, once that is durable.
    package func settle(_ remedy: Remedy, of account: AccountID) async throws {
        try await operations.settle(remedy.event, of: account)
    }

    package func settle(_ remedy: Remedy, ofClient client: String) async throws {
        try await endSessions(of: client)
        try await operations.settle(remedy.event, ofClient: client)
    }

    private func selection(_ reach: Reach, of account: AccountID, except kept: KeptAccess?) -> Selection? {
        switch reach {
        case .all: .account(account, except: nil)
        case .others: .account(account, except: kept?.session)
        case .byPassword: .byPassword(account, except: kept?.session)
        case .bySignIn: .bySignIn(account)
        case .none, .itself, .descent, .notOwn, .client: nil
        }
    }

    /// The device of the session that stays keeps its name, that session and what the request shows of it; what others may
    /// have left on it is forgotten.
    private func endDevices(
        of account: AccountID,
        except kept: KeptAccess?,
        in transaction: borrowing Transaction
    ) throws {
        let session = try kept.flatMap { try sessions.find($0.session, in: transaction) }
        try devices.revokeAll(of: account, except: session?.device, in: transaction)
        try descent.links.revokeAll(
            of: account,
            except: session?.device,
            showing: kept?.presented.cookies ?? [],
            in: transaction
        )
        guard let session, let device = session.device else { return }
        try devices.forgetProofs(
            of: device,
            account,
            except: kept?.presented.credential,
            keepingKey: session.binding == .deviceKey,
            in: transaction
        )
    }

    /// Ends the means to sign in but those that the session that stays began with.
    private func endMeans(
        of account: AccountID,
        except kept: KeptAccess?,
        in transaction: borrowing Transaction
    ) throws {
        let session = try kept.flatMap { try sessions.find($0.session, in: transaction) }
        try passkeys.removeAll(of: account, except: session?.passkey, in: transaction)
        if session?.methods.contains("pwd") != true {
            try store.end(.password, .account(account, except: nil), in: transaction)
        }
        try store.end(.face, .notBegunWith(account, session?.id), in: transaction)
    }

    /// What the device of the session is called; `nil` for one without a name.
    func label(
        ofDeviceIn session: SessionID,
        _ account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> String? {
        guard let device = try sessions.find(session, in: transaction)?.device else { return nil }
        return try devices.label(of: device, account, in: transaction)
    }

    private static func isNot(startedBy kept: KeptAccess?) -> @Sendable (Operation) -> Bool {
        { operation in kept == nil || operation.purpose.startedBy != kept?.session }
    }
}

extension Remedy {
    /// What owners are told that their sessions ended for.
    var reason: RevocationReason {
        switch self {
        case .notMe, .notMeOnPage: .notMe
        case .signedOutEverywhere: .signedOutEverywhere
        case .passwordChanged, .passwordSet: .passwordChanged
        case .addressReplaced, .addressProved, .addressProvedInApp: .addressProved
        case .passkeyRemoved: .passkeyRemoved
        case .deviceRevoked: .deviceRevoked
        case .accountDisabled: .accountDisabled
        case .sessionRevoked, .sessionsRevoked, .addressSet, .clientDisabled, .clientSignedOut: .revokedByOperator
        }
    }

    /// How operations end that are live.
    var event: OperationEvent {
        switch self {
        case .accountDisabled, .addressProved, .addressProvedInApp, .addressSet, .passwordSet: .accountBlocked
        default: .cancelRequested
        }
    }
}
