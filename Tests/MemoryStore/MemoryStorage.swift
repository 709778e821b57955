package import Kernel

/// The ports of an in-memory store, as one process life has them.
package struct MemoryStorage: Sendable {
    package let unitOfWork: MemoryUnitOfWork
    package let operations: MemoryOperationStore
    package let subjects: MemoryLoginSubjects
    package let sessions: MemorySessionOpening
    package let activeSessions: MemoryActiveSessions
    package let enrolling: MemoryFaceEnrolling
    package let auditLog = MemoryAuditLog()
    package let mail: MemoryMailQueueStore
    package let emailCodes: MemoryEmailCodeStore
    package let lockouts = MemoryLockoutStore()
    package let passkeys: MemoryPasskeyStore
    package let passkeyChallenges: MemoryPasskeyChallengeStore
    package let deviceAuthorizations = MemoryDeviceAuthorizationStore()
    package let interactions = MemoryInteractionStore()
    package let authorizationCodes = MemoryAuthorizationCodeStore()
    package let pushedRequests = MemoryPushedRequestStore()
    package let consents = MemoryConsentStore()
    package let oauthClients: MemoryOAuthClientStore
    package let bankEnrolments: MemoryBankEnrolmentStore
    package let wallet: MemoryWalletStore
    package let payments: MemoryPaymentStore

    package let accounts: MemoryAccountStore
    package let addresses = MemoryAddressStore()
    package let enrolments = MemoryEnrolmentStore()
    package let deviceLinks = MemoryDeviceLinkStore()
    package let devices = MemoryRegisteredDeviceStore()
    package let deviceKeys = MemoryDeviceKeyStore()
    package let sessionStore: MemorySessionStore
    package let browsers: MemoryWebSessionStore
    package let descents = MemoryDescentStore()
    package let usedMarks = MemoryUsedMarkStore()
    package let oauthGrants: MemoryOAuthGrantStore
    package let backchannel: MemoryBackchannelStore
    package let logoutNotices = MemoryLogoutNoticeStore()
    package let audit: MemoryAuditStore

    init(_ connection: MemoryConnection) {
        unitOfWork = MemoryUnitOfWork(connection: connection)
        operations = MemoryOperationStore(connection: connection)
        subjects = MemoryLoginSubjects(connection: connection)
        sessions = MemorySessionOpening(connection: connection)
        activeSessions = MemoryActiveSessions(connection: connection)
        enrolling = MemoryFaceEnrolling(connection: connection)
        mail = MemoryMailQueueStore(connection: connection)
        emailCodes = MemoryEmailCodeStore(connection: connection)
        passkeys = MemoryPasskeyStore(connection: connection)
        passkeyChallenges = MemoryPasskeyChallengeStore(connection: connection)
        oauthClients = MemoryOAuthClientStore(connection: connection)
        bankEnrolments = MemoryBankEnrolmentStore(connection: connection)
        wallet = MemoryWalletStore(connection: connection)
        accounts = MemoryAccountStore(connection: connection)
        sessionStore = MemorySessionStore(connection: connection)
        browsers = MemoryWebSessionStore(connection: connection)
        oauthGrants = MemoryOAuthGrantStore(connection: connection)
        backchannel = MemoryBackchannelStore(connection: connection)
        audit = MemoryAuditStore(connection: connection)
        payments = MemoryPaymentStore(connection: connection)
    }
}

/// The way to the disk for one process life.
struct MemoryConnection: Sendable {
    let disk: MemoryDisk
    let life: Int

    func read<T: Sendable>(_ body: @Sendable (MemoryTables) -> T) async throws -> T {
        try await disk.read(life: life, body)
    }
}

extension MemoryConnection {
    /// A disk of a store's own.
    static func alone() -> MemoryConnection { MemoryConnection(disk: MemoryDisk(), life: 0) }

    func run<T: Sendable>(
        lane: Int = 0,
        _ body: @escaping @Sendable (borrowing Transaction) throws -> T
    ) async throws -> T {
        try await disk.commit(life: life, lane: lane, body)
    }
}

/// Units of work over a copy of the tables, one after the other.
package struct MemoryUnitOfWork: UnitOfWork {
    let connection: MemoryConnection
    private var lane = 0

    init(connection: MemoryConnection) { self.connection = connection }

    /// Returns the same storage, whose units run on another lane.
    package func onLane(_ lane: Int) -> MemoryUnitOfWork {
        var other = self
        other.lane = lane
        return other
    }

    package func run<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T {
        try await connection.run(lane: lane, body)
    }

    /// Runs the body over a copy that is thrown away, and throws if it has written.
    package func read<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T {
        try await connection.disk.look(life: connection.life, lane: lane, body)
    }
}
