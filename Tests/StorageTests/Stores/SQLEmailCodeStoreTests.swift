import Kernel
import StoreContract
import Testing

@testable import Storage

struct SQLEmailCodeStoreTests {
    @Test(arguments: EmailCodeStoreContract.allCases, StorageEngine.allCases)
    func `codes keep the contract`(_ promise: EmailCodeStoreContract, _ engine: StorageEngine) async throws {
        try await engine.run { stores in
            try await promise.check(
                over: SQLEmailCodeStore(stores.database),
                purge: SQLExpiringRows.emailCodes.purge,
                stores.unitOfWork
            )
        }
    }
}
