import Foundation
import GRDB
import Kernel
import PostgresServer

@testable import Storage

/// A SQLite file with rows in every table, and an empty PostgreSQL database.
struct MoveFixture {
    /// More than two pages.
    static let attributes = 450

    let file: TestDatabase
    let target: TestPostgresDatabase

    init() async throws {
        file = try ReleasedDatabase.file()
        target = try await PostgresServer.shared.emptyDatabase()
    }

    /// Moves the file's rows.
    func move(
        _ report: @escaping (MoveProgress) -> Void = { _ in },
        verifyingAudit verify: (any SQLDatabase) async throws -> Void = { _ in }
    ) async throws -> MovedRowsReport {
        let source = try MoveSource(SQLiteDatabase.Options(path: file.path, busyTimeout: .milliseconds(500)))
        let move = StorageMove(from: source, to: target.options, environment: .tests, report: report)
        return try await move.run(verifyingAudit: verify)
    }

    /// Returns the error of a move, or `nil` for one that was done.
    func refusal(
        _ report: @escaping (MoveProgress) -> Void = { _ in },
        verifyingAudit verify: (any SQLDatabase) async throws -> Void = { _ in }
    ) async throws -> StorageMoveError? {
        do { _ = try await move(report, verifyingAudit: verify) } catch {
            guard let refusal = StorageMoveError(error) else { throw error }
            return refusal
        }
        return nil
    }

    /// The tables whose rows are moved.
    func tables() throws -> [MovedTable] {
        let queue = try file.outsider()
        defer { try? queue.close() }
        return try queue.read { try MovedTable.all(SQLConnection($0)) }
    }

    /// The number of rows in all tables of the PostgreSQL database; 0 for one without tables.
    func rowsOfTarget() async throws -> Int {
        let names = try await target.run(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_migrations'"
        ).compactMap { $0.first ?? nil }
        guard !names.isEmpty else { return 0 }
        let counts = names.map { "(SELECT COUNT(*) FROM \"\($0)\")" }.joined(separator: " + ")
        return try await target.run("SELECT \(counts)").first?.first.flatMap { $0 }.flatMap { Int($0) } ?? -1
    }

    /// Every row of a table in SQLite, its values as PostgreSQL prints them, in no order of the table's own.
    func rowsOfSource(_ table: String) throws -> [[String?]] {
        Self.sorted(
            try file.rows("SELECT * FROM \"\(table)\"").map { row in
                row.map { _, value in
                    switch value.storage {
                    case .null: nil
                    case .int64(let number): "\(number)"
                    case .double(let number): "\(number)"
                    case .string(let text): text
                    case .blob(let bytes): "\\x" + Hex.encode(bytes)
                    }
                }
            }
        )
    }

    /// Every row of a table in PostgreSQL.
    func rowsOfTarget(_ table: String) async throws -> [[String?]] {
        Self.sorted(try await target.run("SELECT * FROM \"\(table)\""))
    }

    /// Ends the transaction of the move, as a server does that is stopped.
    func endTransaction() {
        guard let connection = try? PostgresConnection(target.options, clock: Environment.tests.clock) else { return }
        defer { connection.close() }
        _ = try? connection.run(
            """
            SELECT CASE WHEN pg_terminate_backend(pid, 5000) THEN 1 ELSE 0 END AS ended FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'idle in transaction'
            """
        )
    }

    private static func sorted(_ rows: [[String?]]) -> [[String?]] {
        rows.sorted { $0.map { $0 ?? "NULL" }.joined(separator: "|") < $1.map { $0 ?? "NULL" }.joined(separator: "|") }
    }
}

/// Extreme values, wherever the constraints allow them.
extension MoveFixture {
    /// Writes the smallest values into the last row of each table, and the largest into its first, and adds rows.
    func stretch() throws {
        let tables = try tables()
        let queue = try file.outsider()
        defer { try? queue.close() }
        try queue.write { database in
            for table in tables {
                for isLarge in [false, true] { try Self.stretch(table, isLarge: isLarge, database) }
            }
            try database.execute(
                sql: """
                    INSERT INTO accounts (id, display_name, state, created_at) VALUES ('', '', 'disabled', 0);
                    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(Self.attributes))
                    INSERT INTO account_attributes (account, name, value) SELECT '', 'name' || n, '' FROM numbers;
                    INSERT INTO account_attributes (account, name, value) VALUES ('', '', char(1) || char(0xE000));
                    """
            )
        }
    }

    /// Tries each column for itself: a value that a constraint refuses is left out.
    private static func stretch(_ table: MovedTable, isLarge: Bool, _ database: Database) throws {
        let referring = try String.fetchSet(
            database,
            sql: "SELECT \"from\" FROM pragma_foreign_key_list(?)",
            arguments: [table.name]
        )
        let indexed = try String.fetchSet(
            database,
            sql: """
                SELECT columns.name FROM pragma_index_list(?) AS indices JOIN pragma_index_info(indices.name) AS columns
                """,
            arguments: [table.name]
        )
        let keys = table.key.map { table.columns[$0] }
        let key = keys.map { "\"\($0)\"" }.joined(separator: ", ")
        let order = keys.map { "\"\($0)\"" + (isLarge ? "" : " DESC") }.joined(separator: ", ")
        let columns = try Row.fetchAll(
            database,
            sql: "SELECT name, type FROM pragma_table_info(?)",
            arguments: [table.name]
        )
        for column in columns {
            let (name, type): (String, String) = (column["name"], column["type"])
            guard !keys.contains(name), !referring.contains(name) else { continue }
            let value = value(type, isLarge: isLarge, isIndexed: indexed.contains(name))
            try database.execute(
                sql: """
                    UPDATE OR IGNORE \(table.name) SET "\(name)" = \(value)
                    WHERE (\(key)) = (SELECT \(key) FROM \(table.name) ORDER BY \(order) LIMIT 1)
                    """
            )
        }
    }

    /// Returns a literal.
    private static func value(_ type: String, isLarge: Bool, isIndexed: Bool) -> String {
        switch type {
        case "INTEGER": isLarge ? "\(Int64.max)" : "\(Int64.min)"
        case "BLOB": "x'\(isLarge ? Hex.encode(Array(UInt8.min...UInt8.max)) : "")'"
        // PostgreSQL's indices hold no long texts, and psql prints no U+10FFFF.
        default:
            isLarge ? "'" + String(repeating: "e\u{301}\u{1F600}\u{10FFFD}\n", count: isIndexed ? 2 : 5000) + "'" : "''"
        }
    }
}
