import Accounts
import Kernel
import OAuth
import StoreContract
import Testing

@testable import Storage

/// Devices' requests on every engine.
struct SQLDeviceAuthorizationTests {
    private let account = Sample.accountID(1)

    @Test(arguments: DeviceAuthorizationStoreContract.allCases, StorageEngine.allCases)
    func `devices' requests keep the contract`(
        _ promise: DeviceAuthorizationStoreContract,
        _ engine: StorageEngine
    ) async throws {
        try await engine.run(accounts: 1) { stores in
            try await promise.check(
                over: SQLDeviceAuthorizationStore(),
                purge: SQLExpiringRows.deviceAuthorizations.purge,
                stores.unitOfWork,
                account: account
            )
        }
    }

    @Test(arguments: StorageEngine.allCases)
    func `what somebody has allowed goes with their account`(_ engine: StorageEngine) async throws {
        let request = Self.request(
            .approved(.init(account: account, authentication: .init(methods: ["hwk"], at: Sample.now)))
        )
        try await engine.run(accounts: 1) { stores in
            let store = SQLDeviceAuthorizationStore()
            let isKept = try await stores.unitOfWork.run { transaction in
                try store.insert(request, keepingPerSource: 9, inAll: 9, in: transaction)
            }
            #expect(isKept)
            let find = {
                try await stores.unitOfWork.read { try store.find(deviceCode: request.deviceCode, in: $0) }
            }
            #expect(try await find() == request)
            try await stores.change("DELETE FROM accounts WHERE id = ?", [account.column])
            #expect(try await find() == nil)
        }
    }

    @Test(
        arguments: [
            ("state = 'open'", []), ("state = 'approved'", []), ("device_code = ?", [31]), ("user_code = ?", [0]),
            ("source = ?", [33]), ("methods = 'face'", []), ("authenticated_at = 1", []), ("client = ''", []),
        ] as [(String, [Int])],
        StorageEngine.allCases
    )
    func `the table takes no row that no version wrote`(
        _ change: (set: String, lengths: [Int]),
        _ engine: StorageEngine
    ) async throws {
        try await engine.run { stores in
            let store = SQLDeviceAuthorizationStore()
            _ = try await stores.unitOfWork.run { transaction in
                try store.insert(Self.request(.pending), keepingPerSource: 9, inAll: 9, in: transaction)
            }
            let values = change.lengths.map { ColumnValue.bytes(Array(repeating: 0, count: $0)) }
            let error = await #expect(throws: StoreError.self) {
                try await stores.change("UPDATE device_authorizations SET \(change.set)", values)
            }
            guard case .conflict? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
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
