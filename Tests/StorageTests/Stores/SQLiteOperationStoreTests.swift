import Foundation
import GRDB
import Kernel
import Operations
import StoreContract
import Testing

@testable import Storage

/// What operations need of SQLite's file and planner.
struct SQLiteOperationStoreTests {
    @Test func `everything is there again after the process died with the file open`() async throws {
        let file = try TestDatabase()
        let alive = try file.open()
        try await Self.insert([OperationSample.operation(1)], alive)
        // The files as a killed process leaves them: the log was never written back.
        let copy = try TestDatabase()
        for name in ["", "-wal"] {
            try copy.write(try Data(contentsOf: URL(filePath: file.path + name)), to: "vestibule.sqlite" + name)
        }
        let store = SQLOperationStore(try copy.open())
        #expect(try await store.find(row: OperationSample.operation(1).id) == OperationSample.operation(1))
        withExtendedLifetime(alive) {}
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

    @Test(arguments: ["", "WHERE account = 'a'", "WHERE client = 'c' AND state IN ('pending')"])
    func `an operator's list is read by its index, without sorting`(_ conditions: String) async throws {
        let file = try TestDatabase()
        let sql = "EXPLAIN QUERY PLAN " + SQLOperationStore.list(where: conditions)
        let steps = try await file.open().pool.read { reader in
            try Row.fetchAll(reader, sql: sql, arguments: [9]).map { $0["detail"] as String }
        }
        #expect(steps.count == 1 && steps[0].contains("USING INDEX operations_by_start"), "\(steps)")
    }

    private static func insert(_ operations: [Operations.Operation], _ database: SQLiteDatabase) async throws {
        let store = SQLOperationStore(database)
        try await SQLiteUnitOfWork(database).run { transaction in
            for operation in operations { try store.insert(operation, in: transaction) }
        }
    }
}
