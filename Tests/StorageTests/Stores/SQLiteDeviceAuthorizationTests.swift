import Accounts
import Kernel
import OAuth
import StoreContract
import Testing

@testable import Storage

/// Devices' requests in SQLite.
struct SQLiteDeviceAuthorizationTests {
    private let file: TestDatabase
    private let database: SQLiteDatabase
    private let unitOfWork: SQLiteUnitOfWork
    private let account = Sample.accountID(1)

    init() async throws {
        file = try TestDatabase()
        database = try file.open()
        unitOfWork = SQLiteUnitOfWork(database)
        let store = SQLAccountStore(database)
        try await unitOfWork.run { try store.insert(Sample.account(1), in: $0) }
    }

    @Test(arguments: DeviceAuthorizationStoreContract.allCases)
    func `SQLite keeps devices' requests by the contract`(_ promise: DeviceAuthorizationStoreContract) async throws {
        try await promise.check(
            over: SQLDeviceAuthorizationStore(),
            purge: SQLExpiringRows.deviceAuthorizations.purge,
            unitOfWork,
            account: account
        )
    }

    @Test func `what somebody has allowed goes with their account`() async throws {
        let store = SQLDeviceAuthorizationStore()
        let request = Self.request(
            .approved(.init(account: account, authentication: .init(methods: ["hwk"], at: Sample.now)))
        )
        let account = account
        let isKept = try await unitOfWork.run { transaction in
            try store.insert(request, keepingPerSource: 9, inAll: 9, in: transaction)
        }
        #expect(isKept)
        let find = { [unitOfWork] in
            try await unitOfWork.read { try store.find(deviceCode: request.deviceCode, in: $0) }
        }
        #expect(try await find() == request)
        _ = try await unitOfWork.run { transaction in
            try transaction.connection().change("DELETE FROM accounts WHERE id = ?", [account.column])
        }
        #expect(try await find() == nil)
    }

    @Test(arguments: [
        "state = 'open'", "state = 'approved'", "device_code = zeroblob(31)", "user_code = x''",
        "source = zeroblob(33)", "methods = 'face'", "authenticated_at = 1", "client = ''",
    ])
    func `the table takes no row that no version wrote`(_ change: String) async throws {
        let store = SQLDeviceAuthorizationStore()
        _ = try await unitOfWork.run { transaction in
            try store.insert(Self.request(.pending), keepingPerSource: 9, inAll: 9, in: transaction)
        }
        let error = await #expect(throws: StoreError.self) {
            try await unitOfWork.run { transaction in
                try transaction.connection().change("UPDATE device_authorizations SET \(change)", [])
            }
        }
        guard case .conflict? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    private static func request(_ state: DeviceAuthorization.State) -> DeviceAuthorization {
        DeviceAuthorization(
            deviceCode: OperationSample.digest("device code", 1),
            userCode: OperationSample.digest("user code", 1),
            access: RequestedAccess(clientID: "tv", scopes: ScopeSet(["openid"]), resources: []),
            source: OperationSample.digest("source", 1),
            origin: .init(address: "192.0.2.7", agent: ""),
            state: state,
            createdAt: Sample.now,
            expiresAt: Sample.now + .seconds(600)
        )
    }
}
