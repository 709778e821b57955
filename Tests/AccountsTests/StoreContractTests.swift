import StoreContract
import Testing

@testable import Accounts

/// The stores in memory, which other tests stand on, keep what every store has to.
struct AccountStoreContractTests {
    @Test(arguments: LockoutStoreContract.allCases)
    func `lockouts in memory keep the contract`(_ promise: LockoutStoreContract) async throws {
        try await promise.check(over: MemoryLockouts(), ImmediateUnitOfWork())
    }

    @Test(arguments: AccountChangeContract.allCases)
    func `accounts in memory change by the contract`(_ promise: AccountChangeContract) async throws {
        try await promise.check(over: MemoryAccountStore(), ImmediateUnitOfWork())
    }
}
