import GRDB
import GRDBSQLite
import Kernel

/// Runs the statements of a connection directly on SQLite.
///
/// A sign-in runs about eight of them on the only writing connection, which limits the sign-ins per second. With
/// GRDB's argument lists and rows each took twice as long. GRDB still prepares, caches and finalises them, and owns
/// the connection.
struct SQLiteEngine: SQLEngine {
    private let database: Database
    /// The statements of the writing connection; `nil` for another connection, whose statements GRDB finds.
    private let statements: SQLiteStatements?

    init(_ database: Database, _ statements: SQLiteStatements?) {
        self.database = database
        self.statements = statements
    }

    func elements(of placeholder: String) -> String { "SELECT value FROM json_each(\(placeholder))" }

    func change(_ sql: String, _ values: [ColumnValue]) throws -> Int {
        let statement = try bound(sql, values)
        defer { sqlite3_reset(statement) }
        let code = sqlite3_step(statement)
        guard code == SQLITE_DONE else { throw fault(code) }
        return Int(sqlite3_changes(database.sqliteConnection))
    }

    func visit(_ sql: String, _ values: [ColumnValue], eachRow row: (inout ColumnReader) throws -> Bool) throws {
        let statement = try bound(sql, values)
        defer { sqlite3_reset(statement) }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                var columns = ColumnReader(SQLiteRow(statement: statement))
                guard try row(&columns) else { return }
            case SQLITE_DONE: return
            case let code: throw fault(code)
            }
        }
    }

    private func bound(_ sql: String, _ values: [ColumnValue]) throws -> OpaquePointer {
        let prepared = try statements?.statement(sql, database) ?? database.cachedStatement(sql: sql)
        let statement = prepared.sqliteStatement
        guard Int(sqlite3_bind_parameter_count(statement)) == values.count else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "values and parameters differ in number")
        }
        for (index, value) in values.enumerated() {
            let code = bind(value, to: statement, at: Int32(index + 1))
            guard code == SQLITE_OK else { throw fault(code) }
        }
        return statement
    }

    private func bind(_ value: ColumnValue, to statement: OpaquePointer, at index: Int32) -> Int32 {
        switch value {
        case .null: sqlite3_bind_null(statement, index)
        case .integer(let number): sqlite3_bind_int64(statement, index, number)
        // An empty buffer may have no address, which SQLite would bind as NULL.
        case .text(""): sqlite3_bind_text(statement, index, "", 0, Self.transient)
        case .text(var text):
            text.withUTF8 { utf8 in
                utf8.withMemoryRebound(to: CChar.self) {
                    sqlite3_bind_text(statement, index, $0.baseAddress, Int32($0.count), Self.transient)
                }
            }
        // Both forms of an id are the same here.
        case .uuid(let bits), .id(let bits, _):
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { buffer in
                bits.write(to: buffer)
                return buffer.withMemoryRebound(to: CChar.self) {
                    sqlite3_bind_text(statement, index, $0.baseAddress, 36, Self.transient)
                }
            }
        case .ids(let ids, _): bind(.text(ids.json), to: statement, at: index)
        case .digest(let digest): digest.withBytes { bind($0, to: statement, at: index) }
        case .bytes(let bytes) where bytes.isEmpty: sqlite3_bind_zeroblob(statement, index, 0)
        case .bytes(let bytes): bytes.withUnsafeBytes { bind($0, to: statement, at: index) }
        }
    }

    private func bind(_ bytes: UnsafeRawBufferPointer, to statement: OpaquePointer, at index: Int32) -> Int32 {
        sqlite3_bind_blob(statement, index, bytes.baseAddress, Int32(bytes.count), Self.transient)
    }

    /// `SQLITE_TRANSIENT`, a C cast that Swift does not import: SQLite copies the bytes before the call returns.
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    private func fault(_ code: Int32) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: code),
            message: database.sqliteConnection.map { String(cString: sqlite3_errmsg($0)) }
        )
    }
}

extension SQLConnection {
    convenience init(_ database: Database, statements: SQLiteStatements? = nil) {
        self.init(SQLiteEngine(database, statements))
    }
}

/// The current row of a statement.
private struct SQLiteRow: SQLRow {
    let statement: OpaquePointer

    var count: Int32 { sqlite3_column_count(statement) }

    func name(_ index: Int32) -> UnsafePointer<CChar>? { sqlite3_column_name(statement, index) }

    func text(_ index: Int32) -> String? {
        guard sqlite3_column_type(statement, index) == SQLITE_TEXT,
            let bytes = sqlite3_column_text(statement, index)
        else { return nil }
        let count = Int(sqlite3_column_bytes(statement, index))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    func utf8<T>(_ index: Int32, _ read: (UnsafeRawBufferPointer) -> T?) -> T? {
        guard sqlite3_column_type(statement, index) == SQLITE_TEXT,
            let bytes = sqlite3_column_text(statement, index)
        else { return nil }
        return read(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, index))))
    }

    func integer(_ index: Int32) -> Int64? {
        guard sqlite3_column_type(statement, index) == SQLITE_INTEGER else { return nil }
        return sqlite3_column_int64(statement, index)
    }

    func outside(_ stored: UUIDBits, _ kind: IDKind) -> UUIDBits { stored }

    func isNull(_ index: Int32) -> Bool { sqlite3_column_type(statement, index) == SQLITE_NULL }

    func bytes<T>(_ index: Int32, _ read: (UnsafeRawBufferPointer) -> T?) -> T? {
        guard sqlite3_column_type(statement, index) == SQLITE_BLOB else { return nil }
        return read(
            UnsafeRawBufferPointer(
                start: sqlite3_column_blob(statement, index),
                count: Int(sqlite3_column_bytes(statement, index))
            )
        )
    }
}
