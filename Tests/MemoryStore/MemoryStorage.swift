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

/// Units of work over a copy of the tables, one after the other.
package struct MemoryUnitOfWork: UnitOfWork {
    let connection: MemoryConnection

    package func run<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T {
        try await connection.disk.commit(life: connection.life, body)
    }
}
