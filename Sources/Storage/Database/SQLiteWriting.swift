import GRDB
import GRDBSQLite
import Kernel

/// The statements of a unit of work, bound and stepped straight on SQLite.
///
/// A sign-in runs about eight of them on the one writing connection, which is what bounds how many there can be in a
/// second; through GRDB's argument lists and rows each took twice as long. GRDB still prepares, caches and finalises
/// them, and owns the connection.
extension Database {
    /// Runs a cached statement; returns how many rows it changed.
    @discardableResult
    func change(_ sql: String, _ values: [ColumnValue] = []) throws -> Int {
        let statement = try bound(sql, values)
        defer { sqlite3_reset(statement) }
        let code = sqlite3_step(statement)
        guard code == SQLITE_DONE else { throw fault(code) }
        return Int(sqlite3_changes(sqliteConnection))
    }

    /// The first row of a cached statement.
    ///
    /// `read` takes the columns in the order in which they are selected.
    func first<T>(
        _ sql: String,
        _ values: [ColumnValue],
        _ read: (inout ColumnReader) throws -> T
    ) throws -> T? {
        let statement = try bound(sql, values)
        defer { sqlite3_reset(statement) }
        switch sqlite3_step(statement) {
        case SQLITE_ROW:
            var columns = ColumnReader(statement)
            return try read(&columns)
        case SQLITE_DONE: return nil
        case let code: throw fault(code)
        }
    }

    /// Every row of a cached statement.
    func all<T>(
        _ sql: String,
        _ values: [ColumnValue],
        _ read: (inout ColumnReader) throws -> T
    ) throws -> [T] {
        let statement = try bound(sql, values)
        defer { sqlite3_reset(statement) }
        var rows: [T] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                var columns = ColumnReader(statement)
                rows.append(try read(&columns))
            case SQLITE_DONE: return rows
            case let code: throw fault(code)
            }
        }
    }

    private func bound(_ sql: String, _ values: [ColumnValue]) throws -> OpaquePointer {
        let statement = try cachedStatement(sql: sql).sqliteStatement
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
        // An empty buffer may have no address, which would be NULL.
        case .text(""): sqlite3_bind_text(statement, index, "", 0, Self.transient)
        case .text(var text):
            text.withUTF8 { utf8 in
                utf8.withMemoryRebound(to: CChar.self) {
                    sqlite3_bind_text(statement, index, $0.baseAddress, Int32($0.count), Self.transient)
                }
            }
        case .uuid(let bits):
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { buffer in
                bits.write(to: buffer)
                return buffer.withMemoryRebound(to: CChar.self) {
                    sqlite3_bind_text(statement, index, $0.baseAddress, 36, Self.transient)
                }
            }
        case .digest(let digest): bind(digest.bytes, to: statement, at: index)
        case .bytes(let bytes): bind(bytes, to: statement, at: index)
        }
    }

    private func bind(_ bytes: [UInt8], to statement: OpaquePointer, at index: Int32) -> Int32 {
        bytes.withUnsafeBytes {
            sqlite3_bind_blob(statement, index, $0.baseAddress, Int32($0.count), Self.transient)
        }
    }

    /// `SQLITE_TRANSIENT`, which is a C cast that Swift does not import: SQLite copies the bytes before the call returns.
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    private func fault(_ code: Int32) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: code),
            message: sqliteConnection.map { String(cString: sqlite3_errmsg($0)) }
        )
    }
}

/// The columns of the row that a statement stands on, one after the other.
struct ColumnReader {
    private let statement: OpaquePointer
    private var index: Int32 = 0

    init(_ statement: OpaquePointer) { self.statement = statement }

    /// Leaves columns out.
    mutating func skip(_ count: Int32) { index += count }

    mutating func text() throws -> String {
        guard let text = optionalText() else { throw unreadable() }
        return text
    }

    mutating func optionalText() -> String? {
        defer { index += 1 }
        guard sqlite3_column_type(statement, index) == SQLITE_TEXT,
            let bytes = sqlite3_column_text(statement, index)
        else { return nil }
        let count = Int(sqlite3_column_bytes(statement, index))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    mutating func integer() throws -> Int64 {
        guard let number = optionalInteger() else { throw unreadable() }
        return number
    }

    mutating func optionalInteger() -> Int64? {
        defer { index += 1 }
        guard sqlite3_column_type(statement, index) == SQLITE_INTEGER else { return nil }
        return sqlite3_column_int64(statement, index)
    }

    mutating func instant() throws -> Instant { Instant(milliseconds: try integer()) }

    mutating func optionalInstant() -> Instant? { optionalInteger().map { Instant(milliseconds: $0) } }

    mutating func digest() throws -> Digest256 {
        let bytes = UnsafeRawBufferPointer(
            start: sqlite3_column_blob(statement, index),
            count: Int(sqlite3_column_bytes(statement, index))
        )
        index += 1
        guard let digest = Digest256(bytes) else { throw unreadable() }
        return digest
    }

    /// A blob that must be there.
    mutating func bytes() throws -> [UInt8] {
        defer { index += 1 }
        guard sqlite3_column_type(statement, index) == SQLITE_BLOB else { throw unreadable(at: index) }
        let bytes = UnsafeRawBufferPointer(
            start: sqlite3_column_blob(statement, index),
            count: Int(sqlite3_column_bytes(statement, index))
        )
        return Array(bytes)
    }

    mutating func optionalBytes() throws -> [UInt8]? {
        guard sqlite3_column_type(statement, index) != SQLITE_NULL else {
            index += 1
            return nil
        }
        return try bytes()
    }

    mutating func optionalDigest() throws -> Digest256? {
        guard sqlite3_column_type(statement, index) != SQLITE_NULL else {
            index += 1
            return nil
        }
        return try digest()
    }

    mutating func id<ID: EntityID>(_ type: ID.Type = ID.self) throws -> ID {
        guard let id = ID(parsing: try text()) else { throw unreadable() }
        return id
    }

    mutating func optionalID<ID: EntityID>(_ type: ID.Type = ID.self) throws -> ID? {
        guard let text = optionalText() else { return nil }
        guard let id = ID(parsing: text) else { throw unreadable() }
        return id
    }

    mutating func value<Value: RawRepresentable<String>>(_ type: Value.Type = Value.self) throws -> Value {
        guard let value = try optionalValue(type) else { throw unreadable() }
        return value
    }

    mutating func optionalValue<Value: RawRepresentable<String>>(_ type: Value.Type = Value.self) throws -> Value? {
        guard let text = optionalText() else { return nil }
        guard let value = Value(rawValue: text) else { throw unreadable() }
        return value
    }

    private func unreadable() -> StoreFailure { unreadable(at: max(0, index - 1)) }

    private func unreadable(at index: Int32) -> StoreFailure {
        .corrupt(cause: "column \(String(cString: sqlite3_column_name(statement, index))) can't be read")
    }
}
