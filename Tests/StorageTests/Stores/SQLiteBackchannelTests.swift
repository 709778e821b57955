import Kernel
import OAuth
import StoreContract
import Testing

@testable import Storage

struct SQLiteBackchannelTests {
    @Test(arguments: BackchannelStoreContract.allCases)
    func `SQLite keeps backchannel requests by the contract`(_ promise: BackchannelStoreContract) async throws {
        let file = try TestDatabase()
        let database = try file.open()
        try await promise.check(
            over: SQLBackchannelStore(database),
            purge: SQLExpiringRows.backchannelRequests.purge,
            SQLiteUnitOfWork(database)
        )
    }
}
