import Kernel
import StoreContract
import Testing

@testable import Storage

/// Descents and the audit in SQLite.
struct SQLiteDescentTests {
    private let database: SQLiteDatabase
    private let file: TestDatabase

    init() throws {
        file = try TestDatabase()
        database = try file.open()
    }

    @Test(arguments: DescentStoreContract.allCases)
    func `SQLite keeps descents by the contract`(_ promise: DescentStoreContract) async throws {
        try await promise.check(
            over: DescentStores(
                descents: SQLDescentStore(),
                sessions: SQLSessionStore(database),
                accounts: SQLAccountStore(database),
                devices: SQLRegisteredDeviceStore(),
                enrolments: SQLEnrolmentStore()
            ),
            SQLiteUnitOfWork(database)
        )
    }

    @Test(arguments: AuditStoreContract.allCases)
    func `SQLite keeps the audit by the contract`(_ promise: AuditStoreContract) async throws {
        try await promise.check(over: SQLAuditStore(database), SQLiteUnitOfWork(database))
    }
}
