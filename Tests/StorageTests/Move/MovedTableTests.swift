import GRDB
import Kernel
import Testing

@testable import Storage

/// The tables that are moved, their order, and the digest of their rows.
struct MovedTableTests {
    private func tables() throws -> [MovedTable] {
        let file = try TestDatabase()
        try file.open().close()
        let queue = try file.outsider()
        defer { try? queue.close() }
        return try queue.read { try MovedTable.all(SQLConnection($0)) }
    }

    @Test func `each table comes after those that it refers to`() throws {
        var before: Set<String> = []
        for table in try tables() {
            #expect(before.isSuperset(of: table.references), "\(table.name)")
            before.insert(table.name)
        }
        #expect(before.count > 30 && !before.contains("schema_migrations"))
    }

    @Test func `each table has columns that identify a row`() throws {
        let keys = Dictionary(
            uniqueKeysWithValues: try tables().map { table in (table.name, table.key.map { table.columns[$0] }) }
        )
        #expect(keys.values.allSatisfy { !$0.isEmpty })
        #expect(keys["audit"] == ["node", "number"])
        #expect(keys["operations"] == ["id"])
        #expect(keys["wallet_banks"] == ["account", "bank"])
        let numbered = Set(try tables().filter(\.isNumbered).map(\.name))
        #expect(numbered.contains("oauth_requests") && !numbered.contains("audit") && !numbered.contains("key_mark"))
    }

    @Test func `statements name every column, and go on after a key`() throws {
        let table = try #require(try tables().first { $0.name == "account_attributes" })
        #expect(
            table.nextRows == #"SELECT "account", "name", "value" FROM "account_attributes" "#
                + #"WHERE ("account", "name") > (?, ?) ORDER BY "account", "name" LIMIT ?"#
        )
        #expect(table.insert == #"INSERT INTO "account_attributes" ("account", "name", "value") VALUES (?, ?, ?)"#)
        #expect(!table.insert.hasListOfAnyLength && !table.nextRows.hasListOfAnyLength)
    }

    @Test func `rows that look alike have other digests`() {
        let lists: [[[ColumnValue]]] = [
            [], [[]], [[.null]], [[.text("")]], [[.bytes([])]], [[.integer(0)]], [[.text("0")]], [[.bytes([0x30])]],
            [[.text("ab"), .text("")]], [[.text("a"), .text("b")]], [[.text("a")], [.text("b")]], [[.null, .null]],
            [[.text("\u{0}")]], [[.text("e\u{301}")]], [[.text("\u{E9}")]], [[.integer(1)]], [[.integer(256)]],
        ]
        let contents = lists.map { rows in
            var digest = ContentDigest()
            for row in rows { digest.take(row) }
            return digest.finished()
        }
        // No row and one row without values differ in their number alone.
        for (index, content) in contents.enumerated() {
            #expect(!contents[..<index].contains(content), "\(lists[index])")
            #expect(content.rows == lists[index].count)
        }
    }
}
