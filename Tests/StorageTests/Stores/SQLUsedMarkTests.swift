import Kernel
import StoreContract
import Testing

@testable import Storage

/// The marks of used proofs and tickets, in every engine.
struct SQLUsedMarkTests {
    @Test(arguments: UsedMarkStoreContract.allCases, StorageEngine.allCases)
    func `used marks keep the contract`(_ promise: UsedMarkStoreContract, _ engine: StorageEngine) async throws {
        try await engine.run(connections: 8) { stores in
            try await promise.check(
                over: SQLUsedMarkStore(),
                purge: SQLExpiringRows.usedMarks.purge,
                stores.unitOfWork
            )
        }
    }
}
