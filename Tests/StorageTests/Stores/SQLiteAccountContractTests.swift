import Kernel
import StoreContract
import Testing

@testable import Storage

/// Accounts and lockouts in SQLite.
struct SQLiteAccountContractTests {
    private let database: SQLiteDatabase
    private let file: TestDatabase

    init() throws {
        file = try TestDatabase()
        database = try file.open()
    }

    @Test(arguments: LockoutStoreContract.allCases)
    func `lockouts keep the contract`(_ promise: LockoutStoreContract) async throws {
        try await promise.check(
            over: SQLLockoutStore(),
            purge: SQLExpiringRows.lockouts.purge,
            SQLiteUnitOfWork(database)
        )
    }

    @Test(arguments: AccountChangeContract.allCases)
    func `accounts change by the contract`(_ promise: AccountChangeContract) async throws {
        try await promise.check(over: SQLAccountStore(database), SQLiteUnitOfWork(database))
    }

    @Test(arguments: AddressStoreContract.allCases)
    func `addresses keep the contract`(_ promise: AddressStoreContract) async throws {
        try await promise.check(
            over: SQLAddressStore(),
            accounts: SQLAccountStore(database),
            SQLiteUnitOfWork(database)
        )
    }

    @Test(arguments: EnrolmentStoreContract.allCases)
    func `enrolments keep the contract`(_ promise: EnrolmentStoreContract) async throws {
        try await promise.check(
            over: SQLEnrolmentStore(),
            accounts: SQLAccountStore(database),
            SQLiteUnitOfWork(database)
        )
    }
}
