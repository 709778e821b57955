import Kernel
import MemoryStore
import StoreContract
import Testing

/// The in-memory stores keep what the others keep.
struct PasskeyContractTests {
    private let storage = MemoryDisk().open()
    private let accounts = [AccountID(UUIDBits(high: 0xA, low: 1)), AccountID(UUIDBits(high: 0xA, low: 2))]

    @Test(arguments: PasskeyStoreContract.allCases)
    func `passkeys in memory keep the contract`(_ promise: PasskeyStoreContract) async throws {
        try await promise.check(over: storage.passkeys, storage.unitOfWork, accounts: accounts)
    }

    @Test(arguments: PasskeyChallengeStoreContract.allCases)
    func `challenges in memory keep the contract`(_ promise: PasskeyChallengeStoreContract) async throws {
        try await promise.check(
            over: storage.passkeyChallenges,
            purge: MemoryExpiringRows.passkeyChallenges.purge,
            storage.unitOfWork,
            account: accounts[0]
        )
    }
}
