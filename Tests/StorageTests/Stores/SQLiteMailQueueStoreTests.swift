import Kernel
import Mail
import StoreContract
import Testing

@testable import Storage

struct SQLiteMailQueueStoreTests {
    @Test(arguments: MailQueueStoreContract.allCases)
    func `the store keeps the contract`(_ promise: MailQueueStoreContract) async throws {
        let file = try TestDatabase()
        let database = try file.open()
        try await promise.check(
            over: SQLMailQueueStore(database),
            purge: SQLExpiringRows.mails.purge,
            SQLiteUnitOfWork(database)
        )
    }
}
