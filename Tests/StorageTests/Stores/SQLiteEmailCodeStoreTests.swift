import Kernel
import StoreContract
import Testing

@testable import Storage

struct SQLiteEmailCodeStoreTests {
    @Test(arguments: EmailCodeStoreContract.allCases)
    func `the store keeps the contract`(_ promise: EmailCodeStoreContract) async throws {
        let file = try TestDatabase()
        let database = try file.open()
        try await promise.check(
            over: SQLEmailCodeStore(database),
            purge: SQLExpiringRows.emailCodes.purge,
            SQLiteUnitOfWork(database)
        )
    }
}
