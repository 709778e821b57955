package import Accounts
package import Devices
package import Kernel
package import Operations
package import Passkeys
import Sessions

/// Ends the results of sign-ins: the one use case behind every remedy.
///
/// Owns the reach of each remedy (``Remedy/reach(_:)``), and carries it out over all modules in one unit of work. Opens
/// nothing, and does not decide who may request a remedy. Survives a crash at any point, because a remedy is one unit.
/// The sessions of a client are the exception: ``resume()`` continues to end them. After the unit ``settle(_:of:)``
/// ends the state in memory, which is refused by its ended row until then.
package struct EndingService: Sendable {
    package let descent: DescentEnding
    let environment: Environment
    private let devices: OwnedDevices
    private let passkeys: OwnedPasskeys
    private let codes: any EmailCodeStore
    let operations: OperationService
    let unitOfWork: any UnitOfWork

    var store: any DescentEnds { descent.store }
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

    /// Ends, in the caller's unit of work, the rows of the account that the remedy reaches; returns how many sessions
    /// ended.
    ///
    /// ``settle(_:of:)`` has to follow once the unit is durable. `kept` is the access that stays, if the remedy keeps
    /// any.
    @discardableResult
    package func end(
        _ remedy: Remedy,
        of account: AccountID,
        except kept: KeptAccess? = nil,
        in transaction: borrowing Transaction
    ) throws -> Int {
        // Operations end first, so that their recorded reason is this remedy, and not the device that ends with it.
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

    /// Ends one session with its descendants for an operator, in the caller's unit of work.
    ///
    /// - Returns: `false` if nothing was left to end.
    package func revoke(
        _ session: SessionID,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        let ended = try descent.revoke(session, of: account, because: Remedy.sessionRevoked.reason, in: transaction)
        try operations.end(Remedy.sessionRevoked.event, of: account, startedBy: ended, in: transaction)
        return ended.isChanged
    }

    /// Ends, in the caller's unit of work, the rows of the client that the remedy reaches; returns how many sessions
    /// end.
    ///
    /// The sessions may belong to any account. ``settle(_:ofClient:)`` has to follow once the unit is durable, and ends
    /// the sessions. There may be any number of them, and one unit for all would keep every other write waiting.
    @discardableResult
    package func end(_ remedy: Remedy, ofClient client: String, in transaction: borrowing Transaction) throws -> Int {
        for outcome in [Outcome.webSession, .interaction, .code, .deviceCode, .consent]
        where remedy.reach(outcome) == .client {
            try store.end(outcome, .client(client), in: transaction)
        }
        try operations.end(remedy.event, ofClient: client, in: transaction)
        return try store.noteEnding(
            of: client,
            at: operations.isShared ? environment.now() : nil,
            in: transaction
        )
    }

    /// Ends the state in memory that a remedy has ended, once the remedy is durable.
    package func settle(_ remedy: Remedy, of account: AccountID) async throws {
        try await operations.settle(remedy.event, of: account)
    }

    package func settle(_ remedy: Remedy, ofClient client: String) async throws {
        try await endSessions(of: client)
        try await operations.settle(remedy.event, ofClient: client)
    }

    /// Returns the rows that a reach over an account selects; `nil` for none, and for what a remedy names.
    func selection(_ reach: Reach, of account: AccountID, except kept: KeptAccess?) -> Selection? {
        switch reach {
        case .all: .account(account, except: nil)
        case .others: .account(account, except: kept?.session)
        case .byPassword: .byPassword(account, except: kept?.session)
        case .bySignIn: .bySignIn(account)
        case .none, .itself, .descent, .notOwn, .client: nil
        }
    }

    /// Ends the account's devices, except for the device of the session that stays.
    ///
    /// That device keeps its name, its session and the evidence that the request presents. Other evidence on it is
    /// forgotten.
    private func endDevices(
        of account: AccountID,
        except kept: KeptAccess?,
        in transaction: borrowing Transaction
    ) throws {
        let session = try kept.flatMap { try sessions.find($0.session, in: transaction) }
        try devices.revokeAll(of: account, except: session?.linkedDevice?.id, in: transaction)
        try descent.links.revokeAll(
            of: account,
            except: session?.linkedDevice?.id,
            showing: kept?.presented.cookies ?? [],
            in: transaction
        )
        guard let session, let device = session.linkedDevice?.id else { return }
        try devices.forgetProofs(
            of: device,
            account,
            except: kept?.presented.credential,
            keepingKey: session.tokenBinding.proof == .deviceKey,
            in: transaction
        )
    }

    /// Ends all means to sign in except the means that the kept session began with.
    private func endMeans(
        of account: AccountID,
        except kept: KeptAccess?,
        in transaction: borrowing Transaction
    ) throws {
        let session = try kept.flatMap { try sessions.find($0.session, in: transaction) }
        try passkeys.removeAll(of: account, except: session?.authentication.passkey, in: transaction)
        if session?.authentication.methods.contains("pwd") != true {
            try store.end(.password, .account(account, except: nil), in: transaction)
        }
        try store.end(.face, .notBegunWith(account, session?.id), in: transaction)
    }

    /// Returns the label of the session's device; `nil` for a device without a label.
    func label(
        ofDeviceIn session: SessionID,
        _ account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> String? {
        guard let device = try sessions.find(session, in: transaction)?.linkedDevice?.id else { return nil }
        return try devices.label(of: device, account, in: transaction)
    }

    private static func isNot(startedBy kept: KeptAccess?) -> @Sendable (Operation) -> Bool {
        { operation in kept == nil || operation.request.purpose.startedBy != kept?.session }
    }
}

extension Remedy {
    /// The reason that owners are told for the end of their sessions.
    var reason: RevocationReason {
        switch self {
        case .notMe, .notMeOnPage: .notMe
        case .signedOutEverywhere, .accountClosed: .signedOutEverywhere
        case .passwordChanged, .passwordSet: .passwordChanged
        case .addressReplaced, .addressProved, .addressProvedInApp: .addressProved
        case .passkeyRemoved: .passkeyRemoved
        case .deviceRevoked: .deviceRevoked
        case .accountDisabled: .accountDisabled
        case .sessionRevoked, .sessionsRevoked, .addressSet, .clientDisabled, .clientSignedOut: .revokedByOperator
        }
    }

    /// The event that ends live operations.
    var event: OperationEvent {
        switch self {
        case .accountDisabled, .accountClosed, .addressProved, .addressProvedInApp, .addressSet, .passwordSet:
            .accountBlocked
        default: .cancelRequested
        }
    }
}
