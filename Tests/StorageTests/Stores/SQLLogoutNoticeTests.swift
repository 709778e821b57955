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
}
