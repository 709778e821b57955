import Kernel
import StoreContract
import Testing
import Wallet

@testable import Storage

/// Banks, cards and enrolments in SQLite.
struct SQLiteWalletTests {
    private let file: TestDatabase
    private let database: SQLiteDatabase
    private let unitOfWork: SQLiteUnitOfWork
    private let accounts = [Sample.accountID(1), Sample.accountID(2)]

    init() async throws {
        file = try TestDatabase()
        database = try file.open()
        unitOfWork = SQLiteUnitOfWork(database)
        let store = SQLAccountStore(database)
        try await unitOfWork.run { transaction in
            try store.insert(Sample.account(1), in: transaction)
            try store.insert(Sample.account(2), in: transaction)
        }
    }

    @Test(arguments: WalletStoreContract.allCases)
    func `SQLite keeps cards and banks by the contract`(_ promise: WalletStoreContract) async throws {
        try await promise.check(over: SQLWalletStore(database), unitOfWork, accounts: accounts)
    }

    @Test(arguments: BankEnrolmentStoreContract.allCases)
    func `SQLite keeps enrolments by the contract`(_ promise: BankEnrolmentStoreContract) async throws {
        try await promise.check(
            over: SQLBankEnrolmentStore(database),
            purge: SQLExpiringRows.bankEnrolments.purge,
            unitOfWork,
            accounts: accounts
        )
    }
}
