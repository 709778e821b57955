import Kernel
import StoreContract
import Testing

@testable import Devices

/// The store in memory, which other tests stand on, keeps what every store has to.
struct RegisteredDeviceContractTests {
    private let store = MemoryRegisteredDevices()
    private let accounts = [DeviceHarness.ada, DeviceHarness.bob]

    @Test(arguments: RegisteredDeviceStoreContract.allCases)
    func `the store in memory keeps devices by the contract`(_ promise: RegisteredDeviceStoreContract) async throws {
        try await promise.check(
            over: store,
            purge: store.purge(before:limit:in:),
            purgeOwnerless: store.purge(ownerlessBefore:limit:in:),
            keys: store,
            ImmediateUnitOfWork(),
            accounts: accounts
        )
    }

    @Test(arguments: DeviceKeyStoreContract.allCases)
    func `the store in memory keeps keys by the contract`(_ promise: DeviceKeyStoreContract) async throws {
        try await promise.check(over: store, devices: store, ImmediateUnitOfWork(), accounts: accounts)
    }
}
