import Kernel
import Mail
import StoreContract
import Testing

@testable import Storage

struct SQLMailQueueStoreTests {
    @Test(arguments: MailQueueStoreContract.allCases, StorageEngine.allCases)
    func `queued mails keep the contract`(_ promise: MailQueueStoreContract, _ engine: StorageEngine) async throws {
        try await engine.run { stores in
            try await promise.check(
                over: SQLMailQueueStore(stores.database),
                purge: SQLExpiringRows.mails.purge,
                stores.unitOfWork
            )
        }
    }
}
