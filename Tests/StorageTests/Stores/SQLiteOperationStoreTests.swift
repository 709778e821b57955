import Foundation
import GRDB
import Kernel
import Operations
import StoreContract
import Testing

@testable import Storage

struct SQLiteOperationStoreTests {
    @Test(arguments: OperationStoreContract.allCases)
    func `the store keeps the contract`(_ promise: OperationStoreContract) async throws {
        let file = try TestDatabase()
        let database = try file.open()
        try await promise.check(
            over: StoreUnderTest(
                unitOfWork: SQLiteUnitOfWork(database),
                store: SQLOperationStore(database, node: "local"),
                purge: SQLExpiringRows.operations.purge
            )
        )
    }

    // T-136
    @Test func `attack: a later version of an operation does not change its stored approval request`() async throws {
        var draft = OperationSample.draft(1)
        draft.purpose = .approve(OperationSample.order, startedBy: OperationSample.session)
        let file = try TestDatabase()
        let database = try file.open()
        let store = SQLOperationStore(database, node: "local")
        try await Self.insert([draft.operation], database)
        let dearer = ApprovalRequest.Amount(value: "9999.00", currency: "EUR")
        var changed = draft
        changed.purpose = .approve(
            try ApprovalRequest(message: "Something else", amount: dearer, payee: "Mallory", payloadHash: nil),
            startedBy: OperationSample.session
        )
        changed.state = .opened(Opening(browser: OperationSample.digest("browser", 1)))
        changed.seq = 2
        let next = changed.operation
        #expect(try await SQLiteUnitOfWork(database).run { try store.update(next, over: 1, in: $0) })
        let found = try await store.find(row: draft.id)
        #expect(found?.request.purpose == draft.purpose && found?.seq == 2)
    }

    @Test func `everything is there again after the file was closed and opened`() async throws {
        let file = try TestDatabase()
        let states = OperationSample.everyState.enumerated().map { OperationSample.operation(UInt64($0), state: $1) }
        try await Self.insert(states, file.open())
        let store = SQLOperationStore(try file.open(), node: "local")
        for operation in states { #expect(try await store.find(row: operation.id) == operation) }
    }

    @Test func `everything is there again after the process died with the file open`() async throws {
        let file = try TestDatabase()
        let alive = try file.open()
        try await Self.insert([OperationSample.operation(1)], alive)
        // The files as a killed process leaves them: the log was never written back.
        let copy = try TestDatabase()
        for name in ["", "-wal"] {
            try copy.write(try Data(contentsOf: URL(filePath: file.path + name)), to: "vestibule.sqlite" + name)
        }
        let store = SQLOperationStore(try copy.open(), node: "local")
        #expect(try await store.find(row: OperationSample.operation(1).id) == OperationSample.operation(1))
        withExtendedLifetime(alive) {}
    }

    @Test(arguments: ["policy = 'x'", "policy = '{}'", "id = 'x'", "account = 'x'", "session = 'x'", "collector = x''"])
    func `a row that no version of this program wrote is corrupt, never half read`(_ change: String) async throws {
        let file = try TestDatabase()
        let database = try file.open()
        let state = OperationState.redeemed(OperationSample.grant())
        try await Self.insert([OperationSample.operation(1, state: state)], database)
        try file.tamper("UPDATE operations SET \(change)")
        let store = SQLOperationStore(database, node: "local")
        do {
            _ = try await store.list(OperationFilter())
            Issue.record("it was read")
        } catch let failure as StoreError {
            guard case .corrupt(let cause) = failure else { throw failure }
            let column = try #require(change.split(separator: " ").first)
            #expect(cause.contains(column))
        }
    }

    // T-209
    @Test func `the row of a closed operation holds nothing to hand out`() async throws {
        let file = try TestDatabase()
        let database = try file.open()
        try await Self.insert([OperationSample.operation(1, state: .redeemed(OperationSample.grant()))], database)
        let unitOfWork = SQLiteUnitOfWork(database)
        let store = SQLOperationStore(database, node: "local")
        let closed = OperationSample.operation(1, state: .closed(OperationSample.closure()), seq: 2)
        #expect(try await unitOfWork.run { transaction in try store.update(closed, over: 1, in: transaction) })
        let row = try #require(try file.rows("SELECT * FROM operations").first)
        for column in ["access_jti", "refresh_jti", "scan_reference", "scan_browser", "issued_at"] {
            #expect((row[column] as DatabaseValue).isNull, "\(column) is erased at the end")
        }
    }

    // T-030
    @Test func `an owner's list is read by its index, without sorting`() async throws {
        let file = try TestDatabase()
        let steps = try await file.open().pool.read { reader in
            try Row.fetchAll(reader, sql: "EXPLAIN QUERY PLAN " + SQLOperationStore.ownersList, arguments: ["a", 9])
                .map { $0["detail"] as String }
        }
        #expect(steps.count == 1 && steps[0].contains("USING INDEX operations_of_accounts"), "\(steps)")
    }

    @Test(arguments: ["", " AND state = 'closed' AND provider = 'x'", " AND failure IS NOT 'expired'"])
    func `an owner's enrolments are read by an index of their own, without sorting`(_ conditions: String) async throws {
        let file = try TestDatabase()
        let sql = "EXPLAIN QUERY PLAN " + SQLOperationStore.enrolments(where: conditions)
        let steps = try await file.open().pool.read { reader in
            try Row.fetchAll(reader, sql: sql, arguments: ["a", 9]).map { $0["detail"] as String }
        }
        #expect(steps.count == 1 && steps[0].contains("USING INDEX enrolments_of_accounts"), "\(steps)")
    }

    private static func insert(_ operations: [Operations.Operation], _ database: SQLiteDatabase) async throws {
        let store = SQLOperationStore(database, node: "local")
        try await SQLiteUnitOfWork(database).run { transaction in
            for operation in operations { try store.insert(operation, in: transaction) }
        }
    }
}
