import Kernel
import MemoryStore
import StoreContract
import Testing

/// The in-memory stores of the wallet.
struct WalletStoreTests {
    private let storage = MemoryDisk().open()
    private let accounts = [BankFixture.account, BankFixture.other]

    @Test(arguments: WalletStoreContract.allCases)
    func `the memory keeps cards and banks by the contract`(_ promise: WalletStoreContract) async throws {
        try await promise.check(over: storage.wallet, storage.unitOfWork, accounts: accounts)
    }

    @Test(arguments: BankEnrolmentStoreContract.allCases)
    func `the memory keeps enrolments by the contract`(_ promise: BankEnrolmentStoreContract) async throws {
        try await promise.check(
            over: storage.bankEnrolments,
            purge: MemoryExpiringRows.bankEnrolments.purge,
            storage.unitOfWork,
            accounts: accounts
        )
    }
}
