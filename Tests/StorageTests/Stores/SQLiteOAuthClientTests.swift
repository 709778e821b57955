import Kernel
import OAuth
import StoreContract
import Testing

@testable import Storage

/// OAuth clients in SQLite.
struct SQLiteOAuthClientTests {
    private let file: TestDatabase
    private let database: SQLiteDatabase

    init() throws {
        file = try TestDatabase()
        database = try file.open()
    }

    @Test(arguments: OAuthClientStoreContract.allCases)
    func `SQLite keeps OAuth clients by the contract`(_ promise: OAuthClientStoreContract) async throws {
        try await promise.check(
            over: SQLOAuthClientStore(database),
            purge: SQLExpiringRows.registrations.purge,
            SQLiteUnitOfWork(database)
        )
    }
}
