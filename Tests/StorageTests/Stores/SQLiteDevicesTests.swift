import Devices
import GRDB
import Kernel
import Sessions
import StoreContract
import Testing

@testable import Storage

/// Registered devices, their keys, and wallets in SQLite.
struct SQLiteDevicesTests {
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
            for number in UInt64(1)...2 { try store.insert(Sample.account(number), in: transaction) }
        }
    }

    @Test(arguments: RegisteredDeviceStoreContract.allCases)
    func `SQLite keeps devices by the contract`(_ promise: RegisteredDeviceStoreContract) async throws {
        let (store, keys) = (SQLRegisteredDeviceStore(), SQLDeviceKeyStore())
        try await promise.check(
            over: store,
            purge: SQLExpiringRows.devices.purge,
            purgeOwnerless: SQLExpiringRows.ownerlessDevices.purge,
            keys: keys,
            unitOfWork,
            accounts: accounts
        )
    }

    @Test(arguments: DeviceKeyStoreContract.allCases)
    func `SQLite keeps keys by the contract`(_ promise: DeviceKeyStoreContract) async throws {
        let (store, keys) = (SQLRegisteredDeviceStore(), SQLDeviceKeyStore())
        try await promise.check(over: keys, devices: store, unitOfWork, accounts: accounts)
    }

    @Test func `a device was last used when a session on it got its last refresh token`() async throws {
        let device = DeviceSample.device(1, of: accounts[0])
        let sessions = SQLSessionStore(database)
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
        let store = SQLRegisteredDeviceStore()
        let (account, now) = (accounts[0], DeviceSample.now)
        let listed = try await unitOfWork.run { transaction in
            try store.insert(device, in: transaction)
            try store.noteSignIn(on: device.id, at: now, in: transaction)
            try sessions.insert(session, token, face: nil, in: transaction)
            return try store.list(of: account, client: nil, at: now, limit: 9, in: transaction)
        }
        #expect(listed.map(\.lastUsedAt) == [now + .seconds(7)])
    }
}
