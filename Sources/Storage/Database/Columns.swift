import GRDB
import Kernel
import Operations

/// How our values are read from rows of GRDB: see ``ColumnValue`` for what stands where.
extension Row {
    /// A text column that must be there.
    func text(_ name: String) throws -> String {
        guard let text = String.fromDatabaseValue(self[name] as DatabaseValue) else { throw unreadable(name) }
        return text
    }

    func optionalText(_ name: String) -> String? { String.fromDatabaseValue(self[name] as DatabaseValue) }

    func integer(_ name: String) throws -> Int64 {
        guard let number = Int64.fromDatabaseValue(self[name] as DatabaseValue) else { throw unreadable(name) }
        return number
    }

    func instant(_ name: String) throws -> Instant { Instant(milliseconds: try integer(name)) }

    func optionalInstant(_ name: String) -> Instant? {
        Int64.fromDatabaseValue(self[name] as DatabaseValue).map { Instant(milliseconds: $0) }
    }

    func digest(_ name: String) throws -> Digest256 {
        guard let digest = try optionalDigest(name) else { throw unreadable(name) }
        return digest
    }

    func optionalDigest(_ name: String) throws -> Digest256? {
        let value = self[name] as DatabaseValue
        guard case .blob(let data) = value.storage else { return nil }
        guard let digest = Digest256(data) else { throw unreadable(name) }
        return digest
    }

    func optionalBytes(_ name: String) -> [UInt8]? {
        guard case .blob(let data) = (self[name] as DatabaseValue).storage else { return nil }
        return Array(data)
    }

    func bytes(_ name: String) throws -> [UInt8] {
        guard let bytes = optionalBytes(name) else { throw unreadable(name) }
        return bytes
    }

    func id<ID: EntityID>(_ name: String, _ type: ID.Type = ID.self) throws -> ID {
        guard let id = ID(parsing: try text(name)) else { throw unreadable(name) }
        return id
    }

    func optionalID<ID: EntityID>(_ name: String, _ type: ID.Type = ID.self) throws -> ID? {
        guard optionalText(name) != nil else { return nil }
        return try id(name, type)
    }

    func uuid(_ name: String) throws -> UUIDBits {
        guard let bits = UUIDBits(try text(name)) else { throw unreadable(name) }
        return bits
    }

    func value<Value: RawRepresentable<String>>(_ name: String, _ type: Value.Type = Value.self) throws -> Value {
        guard let value = Value(rawValue: try text(name)) else { throw unreadable(name) }
        return value
    }

    private func unreadable(_ name: String) -> StoreFailure { .corrupt(cause: "column \(name) can't be read") }
}
