import Kernel
import MemoryStore
import Sessions
import StoreContract
import Testing

/// The sessions of the memory store, over which the HTTP API is tested, keep what every store has to.
struct MemoryStoreContractTests {
    private let storage = MemoryDisk().open()

    @Test(arguments: UsedMarkStoreContract.allCases)
    func `the memory store keeps used marks by the contract`(_ promise: UsedMarkStoreContract) async throws {
        try await promise.check(
            over: storage.usedMarks,
            purge: MemoryExpiringRows.usedMarks.purge,
            storage.unitOfWork
        )
    }

    @Test(arguments: WebSessionStoreContract.allCases)
    func `the memory store keeps browsers' sessions by the contract`(_ promise: WebSessionStoreContract) async throws {
        let sessions = (1...2).map { SessionID(UUIDBits(high: 5, low: $0)) }
        for session in sessions {
            let opened = Session(
                id: session,
                account: AccountID(UUIDBits(high: 0xA, low: 1)),
                client: "app",
                linkedDevice: nil,
                createdAt: OperationSample.start,
                authentication: .init(at: OperationSample.start, methods: ["face"])
            )
            let token = RefreshToken(
                key: Digest256(sha256: "refresh of \(session)"),
                session: session,
                lineage: .init(family: Digest256(sha256: "family of \(session)"), parent: nil, child: nil),
                issuedAt: OperationSample.start,
                expiresAt: OperationSample.start + .seconds(1000),
                firstUsedAt: nil
            )
            try await storage.unitOfWork.run { [storage] in
                try storage.sessionStore.insert(opened, token, face: nil, in: $0)
            }
        }
        try await promise.check(
            over: storage.browsers,
            purge: MemoryExpiringRows.webSessions.purge,
            storage.unitOfWork,
            sessions: sessions
        ) { [storage] session, transaction in
            try storage.sessionStore.remove(session, in: transaction)
        }
    }

    @Test(arguments: DescentStoreContract.allCases)
    func `the memory store keeps descents by the contract`(_ promise: DescentStoreContract) async throws {
        try await promise.check(
            over: DescentStores(
                descents: storage.descents,
                sessions: storage.sessionStore,
                accounts: storage.accounts,
                devices: storage.devices,
                enrolments: storage.enrolments
            ),
            storage.unitOfWork
        )
    }

    @Test(arguments: AuditStoreContract.allCases)
    func `the memory store keeps the audit by the contract`(_ promise: AuditStoreContract) async throws {
        try await promise.check(over: storage.audit, storage.unitOfWork)
    }
}
