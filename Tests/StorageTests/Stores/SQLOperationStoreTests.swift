import Kernel
import Operations
import StoreContract
import Testing

@testable import Storage

struct SQLOperationStoreTests {
    @Test(arguments: OperationStoreContract.allCases, StorageEngine.allCases)
    func `operations keep the contract`(_ promise: OperationStoreContract, _ engine: StorageEngine) async throws {
        try await engine.run { stores in
            try await promise.check(
                over: StoreUnderTest(
                    unitOfWork: stores.unitOfWork,
                    store: Self.store(stores.database),
                    purge: SQLExpiringRows.operations.purge
                )
            )
        }
    }

    // T-136
    @Test(arguments: StorageEngine.allCases)
    func `attack: a later version of an operation does not change its stored approval request`(
        _ engine: StorageEngine
    ) async throws {
        var draft = OperationSample.draft(1)
        draft.purpose = .approve(OperationSample.order, startedBy: OperationSample.session)
        let first = draft
        let dearer = ApprovalRequest.Amount(value: "9999.00", currency: "EUR")
        draft.purpose = .approve(
            try ApprovalRequest(message: "Something else", amount: dearer, payee: "Mallory", payloadHash: nil),
            startedBy: OperationSample.session
        )
        draft.state = .opened(Opening(browser: OperationSample.digest("browser", 1)))
        draft.seq = 2
        let next = draft.operation
        try await engine.run { stores in
            let store = Self.store(stores.database)
            try await Self.insert([first.operation], stores)
            #expect(try await stores.unitOfWork.run { try store.update(next, over: 1, in: $0) })
            let found = try await store.find(row: first.id)
            #expect(found?.request.purpose == first.purpose && found?.seq == 2)
        }
    }

    @Test(arguments: StorageEngine.allCases)
    func `everything is there again after the database was opened anew`(_ engine: StorageEngine) async throws {
        let states = OperationSample.everyState.enumerated().map { OperationSample.operation(UInt64($0), state: $1) }
        try await engine.run { stores in
            try await Self.insert(states, stores)
            let store = Self.store(try stores.reopen())
            for operation in states { #expect(try await store.find(row: operation.id) == operation) }
        }
    }

    @Test(
        arguments: ["policy = 'x'", "policy = '{}'", "id = 'x'", "account = 'x'", "session = 'x'", "collector = ?"],
        StorageEngine.allCases
    )
    func `a row that no version of this program wrote is corrupt, never half read`(
        _ change: String,
        _ engine: StorageEngine
    ) async throws {
        let state = OperationState.redeemed(OperationSample.grant())
        try await engine.run { stores in
            try await Self.insert([OperationSample.operation(1, state: state)], stores)
            try await stores.change("UPDATE operations SET \(change)", change.hasSuffix("?") ? [.bytes([])] : [])
            let error = await #expect(throws: StoreError.self) {
                _ = try await Self.store(stores.database).list(OperationFilter())
            }
            guard case .corrupt(let cause)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            let column = try #require(change.split(separator: " ").first)
            #expect(cause.contains(column))
        }
    }

    // T-209
    @Test(arguments: StorageEngine.allCases)
    func `the row of a closed operation holds nothing to hand out`(_ engine: StorageEngine) async throws {
        let closed = OperationSample.operation(1, state: .closed(OperationSample.closure()), seq: 2)
        try await engine.run { stores in
            let store = Self.store(stores.database)
            try await Self.insert([OperationSample.operation(1, state: .redeemed(OperationSample.grant()))], stores)
            #expect(try await stores.unitOfWork.run { try store.update(closed, over: 1, in: $0) })
            for column in ["access_jti", "refresh_jti", "scan_reference", "scan_browser", "issued_at"] {
                let kept = try await stores.count("operations WHERE \(column) IS NOT NULL")
                #expect(kept == 0, "\(column) is erased at the end")
            }
        }
    }

    private static func store(_ database: any SQLDatabase) -> SQLOperationStore {
        SQLOperationStore(database)
    }

    private static func insert(_ operations: [Operations.Operation], _ stores: StoreFixture) async throws {
        let store = store(stores.database)
        try await stores.unitOfWork.run { transaction in
            for operation in operations { try store.insert(operation, in: transaction) }
        }
    }
}
