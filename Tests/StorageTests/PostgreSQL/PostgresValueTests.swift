import Kernel
import Testing

@testable import Storage

/// Values on their way to a real server and back, in the binary format.
struct PostgresValueTests {
    private static let schema = """
        CREATE TABLE items (number BIGINT PRIMARY KEY, integer BIGINT, text TEXT COLLATE "C", bytes BYTEA)
        """

    private let fixture: PostgresFixture
    private let connection: SQLConnection

    init() async throws {
        fixture = try await PostgresFixture(Self.schema, poolSize: 1)
        connection = SQLConnection(try fixture.connect())
    }

    @Test(arguments: [0, 1, -1, .max, .min, 1_800_000_000_123, 255, 256, -129] as [Int64])
    func `an integer comes back as it was stored`(_ number: Int64) throws {
        try store("integer", .integer(number))
        #expect(try read { try $0.optionalInteger("integer") } == number)
    }

    @Test(arguments: [
        "", " ", "å 漢 🦆\u{301}", "it's \"?\" \\ $1", "\u{1}\n\u{FFFD}", String(repeating: "x", count: 100_000),
    ])
    func `a text comes back as it was stored`(_ text: String) throws {
        try store("text", .text(text))
        #expect(try read { try $0.optionalText("text") } == text)
    }

    @Test(arguments: [[], [0], Array(0...255), Array(repeating: 0, count: 70_000)] as [[UInt8]])
    func `bytes come back as they were stored`(_ bytes: [UInt8]) throws {
        try store("bytes", .bytes(bytes))
        #expect(try read { try $0.optionalBytes("bytes") } == bytes)
    }

    @Test func `an id and a digest come back as they were stored`() throws {
        let id = Sample.accountID(7)
        try store("text", id.column)
        #expect(try read { try $0.id("text", type(of: id)) } == id)
        let digest = Digest256(sha256: "a text")
        try connection.change("UPDATE items SET bytes = ?", [digest.column])
        #expect(try read { try $0.digest("bytes") } == digest)
    }

    @Test func `NULL comes back as nil, and is no empty value`() throws {
        try store("text", .null)
        #expect(try read { try $0.optionalText("text") } == nil)
        #expect(try read { try $0.optionalInteger("integer") } == nil)
        #expect(try read { try $0.optionalBytes("bytes") } == nil)
        #expect(try connection.exists("SELECT 1 FROM items WHERE text IS NOT DISTINCT FROM ?", [.null]))
    }

    @Test func `a column of another type reads as nil`() throws {
        let sql =
            "SELECT 'a' AS text, 7 AS small, CAST(8 AS BIGINT) AS big, true AS flag, CAST('\\x01' AS BYTEA) AS blob"
        let (integers, texts) = try #require(
            try connection.first(sql) { columns in
                (
                    try ["text", "small", "big", "flag", "blob"].map { try columns.optionalInteger($0) },
                    try ["text", "small", "big", "flag", "blob"].map { try columns.optionalText($0) }
                )
            }
        )
        #expect(integers == [nil, 7, 8, nil, nil])
        #expect(texts == ["a", nil, nil, nil, nil])
        #expect(throws: StoreError.corrupt(cause: "column text can't be read")) {
            try connection.first(sql) { try $0.bytes("text") }
        }
        #expect(throws: StoreError.corrupt(cause: "the column other is missing")) {
            try connection.first(sql) { try $0.text("other") }
        }
    }

    @Test func `types of text that are no TEXT read as text`() throws {
        let sql = """
            SELECT CAST('a' AS VARCHAR) AS varchar, CAST('b' AS NAME) AS name, CAST('{"c": 1}' AS JSON) AS json
            """
        let texts = try connection.first(sql) { [try $0.text("varchar"), try $0.text("name"), try $0.text("json")] }
        #expect(texts == ["a", "b", "{\"c\": 1}"])
    }

    @Test func `a text with U+0000 is refused before it is sent`() throws {
        #expect(throws: PostgresError.refused(cause: "a text contains U+0000, which PostgreSQL can't hold")) {
            try store("text", .text("a\0b"))
        }
        #expect(try !connection.exists("SELECT 1 FROM items"))
    }

    @Test func `values and placeholders that differ in number are refused`() throws {
        #expect(throws: PostgresError.refused(cause: "values and parameters differ in number")) {
            try connection.change("DELETE FROM items WHERE number = ?", [])
        }
    }

    @Test func `the elements of a list are rows, however many and whatever they hold`() throws {
        for (number, text) in ["a", "it's", "\"q\"", "å\\", ""].enumerated() {
            try connection.change("INSERT INTO items (number, text) VALUES (?, ?)", [number.column, .text(text)])
        }
        let sql = "SELECT number FROM items WHERE text IN (\(connection.elements(of: "?"))) ORDER BY number"
        let found = try connection.all(sql, [.text(#"["it's", "\"q\"", "å\\", "", "none"]"#)]) {
            try $0.integer("number")
        }
        #expect(found == [1, 2, 3, 4])
        let many = "[" + (0..<100_000).map { "\"\($0)\"" }.joined(separator: ",") + "]"
        #expect(try connection.all(sql, [.text(many)]) { try $0.integer("number") }.isEmpty)
    }

    @Test func `the number of changed rows is that of the server`() throws {
        for number in 1...5 { try connection.change("INSERT INTO items (number) VALUES (?)", [number.column]) }
        #expect(try connection.change("UPDATE items SET integer = 1 WHERE number > ?", [3.column]) == 2)
        #expect(try connection.change("DELETE FROM items WHERE number > ?", [9.column]) == 0)
        #expect(try connection.count("SELECT COUNT(*) AS count FROM items") == 5)
    }

    @Test func `a statement runs while the rows of another one are read`() throws {
        for number in 1...3 { try connection.change("INSERT INTO items (number) VALUES (?)", [number.column]) }
        let sums = try connection.all("SELECT number FROM items ORDER BY number") { columns in
            let number = try columns.integer("number")
            return try connection.count("SELECT number + 10 AS count FROM items WHERE number = ?", [number.column])
        }
        #expect(sums == [11, 12, 13])
    }

    private func store(_ column: String, _ value: ColumnValue) throws {
        try connection.change("INSERT INTO items (number, \(column)) VALUES (?, ?)", [1.column, value])
    }

    private func read<T>(_ read: (inout ColumnReader) throws -> T) throws -> T {
        try #require(try connection.first("SELECT integer, text, bytes FROM items", read: read))
    }
}
