import Devices
import Kernel
import Sessions
import StoreContract
import Testing

@testable import Storage

/// Registered devices, their keys, and wallets on every engine.
struct SQLDevicesTests {
    private let accounts = [Sample.accountID(1), Sample.accountID(2)]

    @Test(arguments: RegisteredDeviceStoreContract.allCases, StorageEngine.allCases)
    func `devices keep the contract`(_ promise: RegisteredDeviceStoreContract, _ engine: StorageEngine) async throws {
        try await engine.run(accounts: 2) { stores in
            try await promise.check(
                over: SQLRegisteredDeviceStore(),
                purge: SQLExpiringRows.devices.purge,
                purgeOwnerless: SQLExpiringRows.ownerlessDevices.purge,
                keys: SQLDeviceKeyStore(),
                stores.unitOfWork,
                accounts: accounts
            )
        }
    }

    @Test(arguments: DeviceKeyStoreContract.allCases, StorageEngine.allCases)
    func `keys keep the contract`(_ promise: DeviceKeyStoreContract, _ engine: StorageEngine) async throws {
        try await engine.run(accounts: 2) { stores in
            try await promise.check(
                over: SQLDeviceKeyStore(),
                devices: SQLRegisteredDeviceStore(),
                stores.unitOfWork,
                accounts: accounts
            )
        }
    }

    @Test(arguments: StorageEngine.allCases)
    func `a device was last used when a session on it got its last refresh token`(
        _ engine: StorageEngine
    ) async throws {
        let device = DeviceSample.device(1, of: accounts[0])
        let session = Session(
            id: SessionID(UUIDBits(high: 5, low: 1)),
            account: accounts[0],
            client: "app",
            linkedDevice: Session.LinkedDevice(id: device.id),
            createdAt: Sample.now,
            authentication: Session.Authentication(at: Sample.now, methods: ["pwd"])
        )
        let token = RefreshToken(
            key: OperationSample.digest("refresh", 1),
            session: session.id,
            lineage: RefreshToken.Lineage(family: OperationSample.digest("refresh", 1), parent: nil, child: nil),
            issuedAt: DeviceSample.now + .seconds(7),
            expiresAt: DeviceSample.now + .seconds(99),
            firstUsedAt: nil
        )
        let (account, now) = (accounts[0], DeviceSample.now)
        try await engine.run(accounts: 2) { stores in
            let (store, sessions) = (SQLRegisteredDeviceStore(), SQLSessionStore(stores.database))
            let listed = try await stores.unitOfWork.run { transaction in
                try store.insert(device, in: transaction)
                try store.noteSignIn(on: device.id, at: now, in: transaction)
                try sessions.insert(session, token, face: nil, in: transaction)
                return try store.list(of: account, client: nil, at: now, limit: 9, in: transaction)
            }
            #expect(listed.map(\.lastUsedAt) == [now + .seconds(7)])
        }
    }
}
