import Kernel
import OAuth
import StoreContract
import Testing

@testable import Storage

struct SQLBackchannelTests {
    @Test(arguments: BackchannelStoreContract.allCases, StorageEngine.allCases)
    func `backchannel requests keep the contract`(
        _ promise: BackchannelStoreContract,
        _ engine: StorageEngine
    ) async throws {
        try await engine.run { stores in
            try await promise.check(
                over: SQLBackchannelStore(stores.database),
                purge: SQLExpiringRows.backchannelRequests.purge,
                stores.unitOfWork
            )
        }
    }
}
