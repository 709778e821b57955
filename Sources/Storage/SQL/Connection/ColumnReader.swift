import Glibc
import Kernel

/// The current row of a statement, in an engine, with columns counted from zero.
protocol SQLRow {
    var count: Int32 { get }

    /// Returns the name of a column, a string that ends with a zero byte.
    func name(_ index: Int32) -> UnsafePointer<CChar>?

    /// Returns `nil` for NULL, and for a value of another type.
    func text(_ index: Int32) -> String?
    func integer(_ index: Int32) -> Int64?
    func bytes<T>(_ index: Int32, _ read: (UnsafeRawBufferPointer) -> T?) -> T?
    /// Passes the bytes of a text, as they are stored.
    func utf8<T>(_ index: Int32, _ read: (UnsafeRawBufferPointer) -> T?) -> T?

    func isNull(_ index: Int32) -> Bool

    /// Returns the outside form of an id that the database holds.
    func outside(_ stored: UUIDBits, _ kind: IDKind) -> UUIDBits
}

/// The current row of a statement, whose columns are read by name; see ``ColumnValue`` for their types.
package struct ColumnReader {
    let row: any SQLRow
    private var prefix: StaticString = ""
    /// The index of the column after the last one read: reading in the order of the `SELECT` finds each name at once.
    private var next: Int32 = 0

    init(_ row: any SQLRow) { self.row = row }

    /// Returns the same row with a prefix before each name, for a `SELECT` that has two rows of one kind.
    func prefixed(_ prefix: StaticString) -> ColumnReader {
        var reader = self
        reader.prefix = prefix
        return reader
    }

    mutating func optionalText(_ name: StaticString) throws -> String? { row.text(try index(name)) }

    mutating func optionalInteger(_ name: StaticString) throws -> Int64? { row.integer(try index(name)) }

    mutating func optionalBytes(_ name: StaticString) throws -> [UInt8]? {
        try blob(name) { Array($0) }
    }

    mutating func optionalDigest(_ name: StaticString) throws -> Digest256? {
        try blob(name) { Digest256($0) }
    }

    mutating func text(_ name: StaticString) throws -> String { try Self.known(optionalText(name), name) }

    /// Returns the words of a text, which are separated by spaces.
    mutating func words(_ name: StaticString) throws -> [String] { try text(name).words }

    mutating func integer(_ name: StaticString) throws -> Int64 { try Self.known(optionalInteger(name), name) }

    mutating func count(_ name: StaticString) throws -> Int { Int(try integer(name)) }

    /// Whether a column of 0 or 1 is 1.
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
        try optionalID(name, ID.kind).map { ID($0) }
    }

    /// Returns an id in its outside form.
    mutating func optionalID(_ name: StaticString, _ kind: IDKind) throws -> UUIDBits? {
        try optionalText(name).map { row.outside(try Self.known(UUIDBits($0), name), kind) }
    }

    /// Returns `nil` for an empty text, which ``Swift/Optional/columnOrEmpty`` wrote.
    mutating func idOrEmpty<ID: EntityID>(_ name: StaticString, _ type: ID.Type = ID.self) throws -> ID? {
        let text = try text(name)
        if text.isEmpty { return nil }
        return ID(row.outside(try Self.known(UUIDBits(text), name), ID.kind))
    }

    mutating func optionalUUID(_ name: StaticString) throws -> UUIDBits? {
        try optionalText(name).map { try Self.known(UUIDBits($0), name) }
    }

    mutating func uuid(_ name: StaticString) throws -> UUIDBits { try Self.known(UUIDBits(text(name)), name) }

    mutating func nodeName(_ name: StaticString) throws -> NodeName { try Self.known(NodeName(text(name)), name) }

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

    /// Returns `nil` for NULL, and throws for a value that is not a blob, or that `read` refuses.
    private mutating func blob<T>(_ name: StaticString, _ read: (UnsafeRawBufferPointer) -> T?) throws -> T? {
        let index = try index(name)
        if row.isNull(index) { return nil }
        return try Self.known(row.bytes(index, read), name)
    }

    private mutating func index(_ name: StaticString) throws -> Int32 {
        let count = row.count
        for _ in 0..<count {
            if next >= count { next = 0 }
            defer { next += 1 }
            if isNamed(name, next) { return next }
        }
        throw StoreError.corrupt(cause: "the column \(name) is missing")
    }

    private func isNamed(_ name: StaticString, _ index: Int32) -> Bool {
        guard let found = row.name(index) else { return false }
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
    /// The characters of the name as a C string, which ends with a zero byte.
    fileprivate var characters: UnsafePointer<CChar> { UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self) }
}

extension [String] {
    /// The words joined by spaces, which no word may contain.
    var spaced: String { joined(separator: " ") }
}

extension String {
    var words: [String] { split(separator: " ").map(String.init) }
}
