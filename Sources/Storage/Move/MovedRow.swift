import Kernel

/// The values of a row in the order of its columns, read the same way in every engine.
struct MovedRow {
    /// Null, integers, texts and bytes, as they are stored.
    private(set) var values: [ColumnValue] = []
    /// The place of the first text that PostgreSQL can't hold: one with U+0000, or that is not UTF-8.
    private(set) var unstorable: Int?

    /// - Throws: `StoreError.corrupt` for a value of another type, such as a number with a fraction.
    init(_ columns: ColumnReader) throws {
        let row = columns.row
        values.reserveCapacity(Int(row.count))
        for index in 0..<row.count {
            if row.isNull(index) {
                values.append(.null)
            } else if let number = row.integer(index) {
                values.append(.integer(number))
            } else if let bytes = row.bytes(index, { Array($0) }) {
                values.append(.bytes(bytes))
            } else if let (text, isStorable) = row.utf8(index, Self.text) {
                values.append(.text(text))
                if !isStorable { unstorable = unstorable ?? Int(index) }
            } else {
                throw StoreError.corrupt(cause: "a value is neither an integer, nor a text, nor bytes")
            }
        }
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> (String, isStorable: Bool)? {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return (String(decoding: bytes, as: UTF8.self), false)
        }
        return (text, !bytes.contains(0))
    }
}

extension ColumnValue {
    /// The value as a person can find it: a text in quotes, bytes in hexadecimal digits.
    var shown: String {
        switch self {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .text(let text): text.debugDescription
        case .uuid(let bits), .id(let bits, _): "\(bits)"
        case .ids(let list, _): list.json
        case .digest(let digest): "x'\(Hex.encode(digest.bytes))'"
        case .bytes(let bytes): "x'\(Hex.encode(bytes))'"
        }
    }
}

/// Reads all rows of a table in the order of their keys, a page at a time.
struct MovedRows {
    /// The rows of a page: the largest have 130 KB, and a page of them is in memory twice.
    static let page = 200

    let table: MovedTable
    let connection: SQLConnection

    /// Passes each page to `take`.
    func visit(_ take: ([MovedRow]) throws -> Void) throws {
        let limit = Self.page.column
        var rows = try connection.all(table.firstRows, [limit]) { try MovedRow($0) }
        while let last = rows.last {
            try take(rows)
            guard rows.count == Self.page else { return }
            let key = table.key.map { last.values[$0] }
            rows = try connection.all(table.nextRows, key + [limit]) { try MovedRow($0) }
        }
    }

    /// Returns what the table holds.
    func content() throws -> TableContent {
        var content = ContentDigest()
        try visit { rows in for row in rows { content.take(row.values) } }
        return content.finished()
    }
}
