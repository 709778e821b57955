import Kernel
import StoreContract
import Testing

@testable import Storage

/// Descents and the audit on every engine.
struct SQLDescentTests {
    @Test(arguments: DescentStoreContract.allCases, StorageEngine.allCases)
    func `descents keep the contract`(_ promise: DescentStoreContract, _ engine: StorageEngine) async throws {
        try await engine.run { stores in
            try await promise.check(
                over: DescentStores(
                    descents: SQLDescentStore(),
                    sessions: SQLSessionStore(stores.database),
                    accounts: SQLAccountStore(stores.database),
                    devices: SQLRegisteredDeviceStore(),
                    enrolments: SQLEnrolmentStore()
                ),
                stores.unitOfWork
            )
        }
    }

    @Test(arguments: AuditStoreContract.allCases, StorageEngine.allCases)
    func `the audit keeps the contract`(_ promise: AuditStoreContract, _ engine: StorageEngine) async throws {
        try await engine.run { stores in
            try await promise.check(over: SQLAuditStore(stores.database), stores.unitOfWork)
        }
    }
}
