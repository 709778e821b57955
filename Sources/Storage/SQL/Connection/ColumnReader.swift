import GRDBSQLite
import Glibc
import Kernel

/// The current row of a statement, whose columns are read by their names; see ``ColumnValue`` for their types.
struct ColumnReader {
    private let statement: OpaquePointer
    private var prefix: StaticString = ""
    /// The column after the last one read: a reader in the order of the `SELECT` finds each name at once.
    private var next: Int32 = 0

    init(_ statement: OpaquePointer) { self.statement = statement }

    /// Returns the same row, where each name has that in front of it: for rows of one kind that a `SELECT` has twice.
    func prefixed(_ prefix: StaticString) -> ColumnReader {
        var reader = self
        reader.prefix = prefix
        return reader
    }

    mutating func optionalText(_ name: StaticString) throws -> String? {
        let index = try index(name)
        guard sqlite3_column_type(statement, index) == SQLITE_TEXT,
            let bytes = sqlite3_column_text(statement, index)
        else { return nil }
        let count = Int(sqlite3_column_bytes(statement, index))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    mutating func optionalInteger(_ name: StaticString) throws -> Int64? {
        let index = try index(name)
        guard sqlite3_column_type(statement, index) == SQLITE_INTEGER else { return nil }
        return sqlite3_column_int64(statement, index)
    }

    mutating func optionalBytes(_ name: StaticString) throws -> [UInt8]? {
        try blob(name) { Array($0) }
    }

    mutating func optionalDigest(_ name: StaticString) throws -> Digest256? {
        try blob(name) { Digest256($0) }
    }

    mutating func text(_ name: StaticString) throws -> String { try Self.known(optionalText(name), name) }

    /// Returns a text of words with a space between two: of words that have none in them.
    mutating func words(_ name: StaticString) throws -> [String] { try text(name).words }

    mutating func integer(_ name: StaticString) throws -> Int64 { try Self.known(optionalInteger(name), name) }

    mutating func count(_ name: StaticString) throws -> Int { Int(try integer(name)) }

    /// Returns whether a column of 0 or 1 is 1.
    mutating func flag(_ name: StaticString) throws -> Bool { try integer(name) == 1 }

    mutating func bytes(_ name: StaticString) throws -> [UInt8] { try Self.known(optionalBytes(name), name) }

    mutating func digest(_ name: StaticString) throws -> Digest256 { try Self.known(optionalDigest(name), name) }

    mutating func instant(_ name: StaticString) throws -> Instant { Instant(milliseconds: try integer(name)) }

    mutating func optionalInstant(_ name: StaticString) throws -> Instant? {
        try optionalInteger(name).map { Instant(milliseconds: $0) }
    }

    mutating func id<ID: EntityID>(_ name: StaticString, _ type: ID.Type = ID.self) throws -> ID {
        try Self.known(optionalID(name), name)
    }

    mutating func optionalID<ID: EntityID>(_ name: StaticString, _ type: ID.Type = ID.self) throws -> ID? {
        try optionalText(name).map { try Self.known(ID(parsing: $0), name) }
    }

    mutating func uuid(_ name: StaticString) throws -> UUIDBits { try Self.known(UUIDBits(text(name)), name) }

    mutating func value<Value: RawRepresentable<String>>(
        _ name: StaticString,
        _ type: Value.Type = Value.self
    ) throws -> Value {
        try Self.known(optionalValue(name), name)
    }

    mutating func optionalValue<Value: RawRepresentable<String>>(
        _ name: StaticString,
        _ type: Value.Type = Value.self
    ) throws -> Value? {
        try optionalText(name).map { try Self.known(Value(rawValue: $0), name) }
    }

    /// Returns `nil` for NULL; a value that is not a blob, or is refused, can't be read.
    private mutating func blob<T>(_ name: StaticString, _ read: (UnsafeRawBufferPointer) -> T?) throws -> T? {
        let index = try index(name)
        switch sqlite3_column_type(statement, index) {
        case SQLITE_NULL: return nil
        case SQLITE_BLOB:
            let bytes = UnsafeRawBufferPointer(
                start: sqlite3_column_blob(statement, index),
                count: Int(sqlite3_column_bytes(statement, index))
            )
            return try Self.known(read(bytes), name)
        default: throw Self.unreadable(name)
        }
    }

    private mutating func index(_ name: StaticString) throws -> Int32 {
        let count = sqlite3_column_count(statement)
        for _ in 0..<count {
            if next >= count { next = 0 }
            defer { next += 1 }
            if isNamed(name, next) { return next }
        }
        throw StoreError.corrupt(cause: "the column \(name) is missing")
    }

    private func isNamed(_ name: StaticString, _ index: Int32) -> Bool {
        guard let found = sqlite3_column_name(statement, index) else { return false }
        let length = prefix.utf8CodeUnitCount
        return (length == 0 || strncmp(found, prefix.characters, length) == 0)
            && strcmp(found + length, name.characters) == 0
    }

    private static func known<T>(_ value: T?, _ name: StaticString) throws -> T {
        guard let value else { throw unreadable(name) }
        return value
    }

    private static func unreadable(_ name: StaticString) -> StoreError {
        .corrupt(cause: "column \(name) can't be read")
    }
}

extension StaticString {
    /// Ends with a zero, as a string of C.
    fileprivate var characters: UnsafePointer<CChar> { UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self) }
}

extension [String] {
    /// The words with a space between two; no word may contain one.
    var spaced: String { joined(separator: " ") }
}

extension String {
    var words: [String] { split(separator: " ").map(String.init) }
}
