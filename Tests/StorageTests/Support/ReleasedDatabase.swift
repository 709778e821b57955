import Foundation
import GRDB

@testable import Storage

/// The rows that the first release wrote, of every kind, brought to the current schema.
enum ReleasedDatabase {
    /// Opens it as a file.
    static func file() throws -> TestDatabase {
        let file = try TestDatabase()
        let dump = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Fixtures/schema-0.1.0.sql")
        try file.tamper(String(contentsOf: dump, encoding: .utf8))
        try file.open().close()
        return file
    }

    /// Returns the statements that write its rows to an empty database of the current schema, without foreign keys.
    static func inserts(_ engine: StorageEngine) throws -> String {
        let queue = try file().outsider()
        defer { try? queue.close() }
        let statements = try queue.read { reader in
            let tables = try String.fetchAll(
                reader,
                sql: """
                    SELECT name FROM sqlite_master
                    WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'schema_migrations'
                    """
            )
            return try tables.flatMap { table in
                try Row.fetchAll(reader, sql: "SELECT * FROM \(table)").map { row in
                    let values = row.map { literal($0.1, engine) }.joined(separator: ", ")
                    let overriding = engine == .postgres ? " OVERRIDING SYSTEM VALUE" : ""
                    return
                        "INSERT INTO \(table) (\(row.columnNames.joined(separator: ", ")))\(overriding) VALUES (\(values))"
                }
            }
        }
        return statements.joined(separator: ";\n")
    }

    private static func literal(_ value: DatabaseValue, _ engine: StorageEngine) -> String {
        switch value.storage {
        case .null: return "NULL"
        case .int64(let number): return "\(number)"
        case .double(let number): return "\(number)"
        case .string(let text): return "'" + text.replacing("'", with: "''") + "'"
        case .blob(let bytes):
            let digits = bytes.map { String(format: "%02x", $0) }.joined()
            return engine == .sqlite ? "x'\(digits)'" : #"'\x\#(digits)'"#
        }
    }
}
