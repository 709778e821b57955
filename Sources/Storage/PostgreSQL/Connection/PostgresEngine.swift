import CPq
import Kernel

/// Runs the statements of a connection on PostgreSQL.
///
/// The rows of a statement are fetched before the first one is read, so that a statement may be run while the rows of
/// another one are read.
struct PostgresEngine: SQLEngine {
    private let connection: PostgresConnection

    init(_ connection: PostgresConnection) { self.connection = connection }

    func elements(of placeholder: String) -> String {
        "SELECT value FROM json_array_elements_text(CAST(\(placeholder) AS json)) AS elements(value)"
    }

    func change(_ sql: String, _ values: [ColumnValue]) throws -> Int { try connection.run(sql, values).changedRows }

    func write(_ sql: String, _ values: [ColumnValue]) throws { try connection.write(sql, values) }

    func visit(_ sql: String, _ values: [ColumnValue], eachRow row: (inout ColumnReader) throws -> Bool) throws {
        let result = try connection.run(sql, values)
        for index in 0..<result.rowCount {
            var columns = ColumnReader(PostgresRow(result: result, row: index, ids: connection.ids))
            guard try row(&columns) else { return }
        }
    }
}

extension SQLConnection {
    convenience init(_ connection: PostgresConnection) { self.init(PostgresEngine(connection)) }
}

/// One row of a result, whose columns are in the binary format.
struct PostgresRow: SQLRow {
    let result: PostgresResult
    let row: Int32
    let ids: IDForm

    var count: Int32 { PQnfields(result.pointer) }

    func name(_ index: Int32) -> UnsafePointer<CChar>? { PQfname(result.pointer, index).map { UnsafePointer($0) } }

    func text(_ index: Int32) -> String? { utf8(index) { String(decoding: $0, as: UTF8.self) } }

    func utf8<T>(_ index: Int32, _ read: (UnsafeRawBufferPointer) -> T?) -> T? {
        guard ColumnType.texts.contains(PQftype(result.pointer, index)) else { return nil }
        return value(index).flatMap(read)
    }

    func integer(_ index: Int32) -> Int64? {
        guard let bytes = value(index) else { return nil }
        switch (PQftype(result.pointer, index), bytes.count) {
        case (ColumnType.int8, 8): return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
        case (ColumnType.int4, 4): return Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        default: return nil
        }
    }

    func outside(_ stored: UUIDBits, _ kind: IDKind) -> UUIDBits { ids.exchanged(stored, kind) }

    func isNull(_ index: Int32) -> Bool { PQgetisnull(result.pointer, row, index) != 0 }

    func bytes<T>(_ index: Int32, _ read: (UnsafeRawBufferPointer) -> T?) -> T? {
        guard PQftype(result.pointer, index) == ColumnType.bytea else { return nil }
        return value(index).flatMap(read)
    }

    /// Returns the bytes of a value, which are valid as long as the result, or `nil` for NULL.
    private func value(_ index: Int32) -> UnsafeRawBufferPointer? {
        guard !isNull(index) else { return nil }
        let start = PQgetvalue(result.pointer, row, index)
        return UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result.pointer, row, index)))
    }
}

/// Object identifiers of types (pg_type.dat), which are the same in every server.
private enum ColumnType {
    static let bytea: Oid = 17
    static let int8: Oid = 20
    static let int4: Oid = 23
    /// The types text, varchar, name, json and bpchar, in this order.
    static let texts: [Oid] = [25, 1043, 19, 114, 1042]
}
