package import Kernel

/// The ports of the engine: the operation store, the audit log, and the accounts.
package struct OperationPorts: Sendable {
    package let unitOfWork: any UnitOfWork
    let store: any OperationStore
    let auditLog: any AuditLog
    let accounts: AccountPorts
    /// Encrypts what the operation's row keeps of the provider's page.
    let encryptor: any Encryptor
    package let nodes: any NodeMembership
    package let feed: any ChangeFeed
    /// Called in the unit of work that writes an operation's approval or failure.
    let onDecision: @Sendable (Operation, borrowing Transaction) throws -> Void

    package init(
        unitOfWork: any UnitOfWork,
        store: any OperationStore,
        auditLog: any AuditLog,
        accounts: AccountPorts,
        encryptor: any Encryptor,
        nodes: any NodeMembership = SingleNode(),
        feed: any ChangeFeed = SilentFeed(),
        onDecision: @escaping @Sendable (Operation, borrowing Transaction) throws -> Void = { _, _ in }
    ) {
        self.unitOfWork = unitOfWork
        self.store = store
        self.auditLog = auditLog
        self.accounts = accounts
        self.encryptor = encryptor
        self.nodes = nodes
        self.feed = feed
        self.onDecision = onDecision
    }

    /// Writes an audit record in a unit of work of its own.
    func record(_ entry: AuditRecord) async throws {
        try await unitOfWork.run { [auditLog] transaction in try auditLog.append(entry, in: transaction) }
    }
}

/// The ports of the engine to accounts: their faces, sessions and passkeys.
package struct AccountPorts: Sendable {
    let subjects: any LoginSubjects
    let sessions: any SessionOpening
    let activeSessions: any ActiveSessions
    let enrolling: any FaceEnrolling
    /// `nil` where passkeys are not available: then no page asks for one.
    let passkeys: (any ConfirmingPasskeys)?

    package init(
        subjects: any LoginSubjects,
        sessions: any SessionOpening,
        activeSessions: any ActiveSessions,
        enrolling: any FaceEnrolling,
        passkeys: (any ConfirmingPasskeys)? = nil
    ) {
        self.subjects = subjects
        self.sessions = sessions
        self.activeSessions = activeSessions
        self.enrolling = enrolling
        self.passkeys = passkeys
    }
}
