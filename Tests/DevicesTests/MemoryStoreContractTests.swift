import Kernel
import MemoryStore
import StoreContract
import Testing

/// The devices of the memory store, over which the HTTP API is tested, keep what every store has to.
struct MemoryStoreContractTests {
    private let storage = MemoryDisk().open()
    private let accounts = (1...3).map { AccountID(UUIDBits(high: 0xA, low: $0)) }

    @Test(arguments: RegisteredDeviceStoreContract.allCases)
    func `the memory store keeps devices by the contract`(_ promise: RegisteredDeviceStoreContract) async throws {
        try await promise.check(
            over: storage.devices,
            purge: MemoryExpiringRows.devices.purge,
            purgeOwnerless: MemoryExpiringRows.ownerlessDevices.purge,
            keys: storage.deviceKeys,
            storage.unitOfWork,
            accounts: accounts
        )
    }

    @Test(arguments: DeviceKeyStoreContract.allCases)
    func `the memory store keeps keys by the contract`(_ promise: DeviceKeyStoreContract) async throws {
        try await promise.check(
            over: storage.deviceKeys,
            devices: storage.devices,
            storage.unitOfWork,
            accounts: accounts
        )
    }

    @Test(arguments: DeviceLinkStoreContract.allCases)
    func `the memory store keeps links by the contract`(_ promise: DeviceLinkStoreContract) async throws {
        try await promise.check(
            over: storage.deviceLinks,
            purge: MemoryExpiringRows.deviceLinks.purge,
            storage.unitOfWork,
            accounts: accounts
        )
    }
}
