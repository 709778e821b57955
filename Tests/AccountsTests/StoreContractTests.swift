import MemoryStore
import StoreContract
import Testing

@testable import Accounts

/// The stores in memory, which other tests stand on, keep what every store has to.
struct AccountStoreContractTests {
    @Test(arguments: LockoutStoreContract.allCases)
    func `lockouts in memory keep the contract`(_ promise: LockoutStoreContract) async throws {
        let lockouts = MemoryLockouts()
        try await promise.check(over: lockouts, purge: lockouts.purge(before:limit:in:), ImmediateUnitOfWork())
    }

    @Test(arguments: LockoutStoreContract.allCases)
    func `lockouts of the memory store keep the contract`(_ promise: LockoutStoreContract) async throws {
        let storage = MemoryDisk().open()
        try await promise.check(over: storage.lockouts, purge: MemoryExpiringRows.lockouts.purge, storage.unitOfWork)
    }

    @Test(arguments: AccountChangeContract.allCases)
    func `accounts of the memory store change by the contract`(_ promise: AccountChangeContract) async throws {
        let storage = MemoryDisk().open()
        try await promise.check(over: storage.accounts, storage.unitOfWork)
    }

    @Test(arguments: AddressStoreContract.allCases)
    func `addresses of the memory store keep the contract`(_ promise: AddressStoreContract) async throws {
        let storage = MemoryDisk().open()
        try await promise.check(over: storage.addresses, accounts: storage.accounts, storage.unitOfWork)
    }

    @Test(arguments: EnrolmentStoreContract.allCases)
    func `enrolments of the memory store keep the contract`(_ promise: EnrolmentStoreContract) async throws {
        let storage = MemoryDisk().open()
        try await promise.check(over: storage.enrolments, accounts: storage.accounts, storage.unitOfWork)
    }

    @Test(arguments: AccountChangeContract.allCases)
    func `accounts in memory change by the contract`(_ promise: AccountChangeContract) async throws {
        try await promise.check(over: MemoryAccountStore(), ImmediateUnitOfWork())
    }
}
