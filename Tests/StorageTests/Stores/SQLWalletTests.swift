import Kernel
import StoreContract
import Testing
import Wallet

@testable import Storage

/// Banks, cards and enrolments on every engine.
struct SQLWalletTests {
    private static let accounts = [Sample.accountID(1), Sample.accountID(2)]

    @Test(arguments: WalletStoreContract.allCases, StorageEngine.allCases)
    func `cards and banks keep the contract`(_ promise: WalletStoreContract, _ engine: StorageEngine) async throws {
        try await engine.run(accounts: 2) { stores in
            try await promise.check(
                over: SQLWalletStore(stores.database),
                stores.unitOfWork,
                accounts: Self.accounts
            )
        }
    }

    @Test(arguments: BankEnrolmentStoreContract.allCases, StorageEngine.allCases)
    func `enrolments keep the contract`(_ promise: BankEnrolmentStoreContract, _ engine: StorageEngine) async throws {
        try await engine.run(accounts: 2) { stores in
            try await promise.check(
                over: SQLBankEnrolmentStore(stores.database),
                purge: SQLExpiringRows.bankEnrolments.purge,
                stores.unitOfWork,
                accounts: Self.accounts
            )
        }
    }
}
