import Kernel
import StoreContract
import Testing

@testable import Storage

/// Accounts and lockouts on every engine.
struct SQLAccountContractTests {
    @Test(arguments: LockoutStoreContract.allCases, StorageEngine.allCases)
    func `lockouts keep the contract`(_ promise: LockoutStoreContract, _ engine: StorageEngine) async throws {
        try await engine.run { stores in
            try await promise.check(
                over: SQLLockoutStore(),
                purge: SQLExpiringRows.lockouts.purge,
                stores.unitOfWork
            )
        }
    }

    @Test(arguments: AccountChangeContract.allCases, StorageEngine.allCases)
    func `accounts change by the contract`(_ promise: AccountChangeContract, _ engine: StorageEngine) async throws {
        try await engine.run { stores in
            try await promise.check(over: SQLAccountStore(stores.database), stores.unitOfWork)
        }
    }

    @Test(arguments: AddressStoreContract.allCases, StorageEngine.allCases)
    func `addresses keep the contract`(_ promise: AddressStoreContract, _ engine: StorageEngine) async throws {
        try await engine.run { stores in
            try await promise.check(
                over: SQLAddressStore(),
                accounts: SQLAccountStore(stores.database),
                stores.unitOfWork
            )
        }
    }

    @Test(arguments: EnrolmentStoreContract.allCases, StorageEngine.allCases)
    func `enrolments keep the contract`(_ promise: EnrolmentStoreContract, _ engine: StorageEngine) async throws {
        try await engine.run { stores in
            try await promise.check(
                over: SQLEnrolmentStore(),
                accounts: SQLAccountStore(stores.database),
                stores.unitOfWork
            )
        }
    }
}
