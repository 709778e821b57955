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

    @Test(arguments: NoticePagingContract.allCases, StorageEngine.allCases)
    func `notices of one millisecond are paged by the contract`(
        _ promise: NoticePagingContract,
        _ engine: StorageEngine
    ) async throws {
        let ids = IDForm.bucketed(IDMask(key: Digest256(sha256: "mask")))
        try await engine.run(ids: ids) { stores in
            try await promise.check(over: SQLBackchannelStore(stores.database), stores.unitOfWork)
        }
    }
}
