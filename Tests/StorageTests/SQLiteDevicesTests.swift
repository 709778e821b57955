import Devices
import GRDB
import Kernel
import Sessions
import StoreContract
import Testing
import Wallet

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
        let store = SQLiteAccountStore(database)
        try await unitOfWork.run { transaction in
            for number in UInt64(1)...2 { try store.insert(Sample.account(number), in: transaction) }
        }
    }

    @Test(arguments: RegisteredDeviceStoreContract.allCases)
    func `SQLite keeps devices by the contract`(_ promise: RegisteredDeviceStoreContract) async throws {
        let (store, keys) = (SQLiteRegisteredDeviceStore(), SQLiteDeviceKeyStore())
        try await promise.check(over: store, keys: keys, unitOfWork, accounts: accounts)
    }

    @Test(arguments: DeviceKeyStoreContract.allCases)
    func `SQLite keeps keys by the contract`(_ promise: DeviceKeyStoreContract) async throws {
        let (store, keys) = (SQLiteRegisteredDeviceStore(), SQLiteDeviceKeyStore())
        try await promise.check(over: keys, devices: store, unitOfWork, accounts: accounts)
    }

    @Test func `a device was last used when a session on it got its last refresh token`() async throws {
        let device = DeviceSample.device(1, of: accounts[0])
        let sessions = SQLiteSessionStore(database)
        let session = Session(
            id: SessionID(UUIDBits(high: 5, low: 1)),
            account: accounts[0],
            client: "app",
            device: device.id,
            createdAt: Sample.now,
            authenticatedAt: Sample.now,
            methods: ["pwd"],
            revokedAt: nil
        )
        let token = RefreshToken(
            key: OperationSample.digest("refresh", 1),
            session: session.id,
            family: OperationSample.digest("refresh", 1),
            parent: nil,
            child: nil,
            issuedAt: DeviceSample.now + .seconds(7),
            expiresAt: DeviceSample.now + .seconds(99),
            firstUsedAt: nil
        )
        let store = SQLiteRegisteredDeviceStore()
        let (account, now) = (accounts[0], DeviceSample.now)
        let listed = try await unitOfWork.run { transaction in
            try store.insert(device, in: transaction)
            try store.noteSignIn(on: device.id, at: now, in: transaction)
            try sessions.insert(session, token, in: transaction)
            return try store.list(of: account, client: nil, at: now, limit: 9, in: transaction)
        }
        #expect(listed.map(\.lastUsedAt) == [now + .seconds(7)])
    }

    @Test func `a wallet has the account's own cards, the default one first, and its banks by name`() async throws {
        let wallet = SQLiteWalletStore(database)
        #expect(try await wallet.contents(of: accounts[0]) == WalletContents(cards: [], banks: []))
        let account = accounts[0].description
        try await database.pool.write { writer in
            try writer.execute(
                sql: """
                    INSERT INTO wallet_banks VALUES ('\(account)', 'z', 'Zebra Bank', 0), ('\(account)', 'a', 'Ant Bank', 0);
                    INSERT INTO wallet_cards VALUES ('c1', '\(account)', 'z', '1111', 'VISA', 0, 9),
                        ('c2', '\(account)', 'z', '2222', 'MC', 1, 5), ('c3', '\(account)', 'z', '3333', 'VISA', 0, 10);
                    """
            )
        }
        let found = try await wallet.contents(of: accounts[0])
        #expect(found.cards.map(\.id) == ["c2", "c3", "c1"])
        #expect(
            found.cards[0]
                == WalletCard(
                    id: "c2",
                    lastFour: "2222",
                    cardType: "MC",
                    bank: "Zebra Bank",
                    isDefault: true,
                    addedAt: Instant(milliseconds: 5)
                )
        )
        #expect(
            found.banks == [
                WalletBank(id: "a", name: "Ant Bank", cards: 0), WalletBank(id: "z", name: "Zebra Bank", cards: 3),
            ]
        )
        #expect(try await wallet.contents(of: accounts[1]).cards.isEmpty)
    }
}
