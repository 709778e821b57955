import Kernel
import OAuth
import StoreContract
import Testing

@testable import Storage

struct SQLLogoutNoticeTests {
    @Test(arguments: LogoutNoticeStoreContract.allCases, StorageEngine.allCases)
    func `logout notices keep the contract`(
        _ promise: LogoutNoticeStoreContract,
        _ engine: StorageEngine
    ) async throws {
        try await engine.run { stores in
            try await promise.check(over: SQLLogoutNoticeStore(), stores.unitOfWork)
        }
    }

    @Test(arguments: NoticePagingContract.allCases, StorageEngine.allCases)
    func `notices of one millisecond are paged by the contract`(
        _ promise: NoticePagingContract,
        _ engine: StorageEngine
    ) async throws {
        let ids = IDForm.bucketed(IDMask(key: Digest256(sha256: "mask")))
        try await engine.run(ids: ids) { stores in
            try await promise.check(over: SQLLogoutNoticeStore(), stores.unitOfWork)
        }
    }
}
