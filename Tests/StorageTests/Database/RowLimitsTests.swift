import GRDB
import Kernel
import Testing

@testable import Storage

struct RowLimitsTests {
    private let file: TestDatabase
    private let database: SQLiteDatabase

    init() throws {
        file = try TestDatabase()
        database = try file.open()
        try database.pool.write { try $0.execute(sql: "CREATE TABLE numbered (number INTEGER PRIMARY KEY NOT NULL)") }
    }

    /// Inserts a row as the stores do; returns its number.
    private static func insert(_ writer: SQLConnection, keeping count: Int) throws -> Int64? {
        let number = try writer.insertNumbered("INSERT INTO numbered DEFAULT VALUES RETURNING number", [])
        if let number { try writer.keepNewest(count, of: "numbered", after: number) }
        return number
    }

    @Test(arguments: [1, 2, 63, 64, 130, 1000])
    func `attack: a table never has more rows than its limit, and keeps the newest`(_ limit: Int) throws {
        try database.pool.write { database in
            let writer = SQLConnection(database)
            for round in 1...Int64(limit * 3) {
                #expect(try Self.insert(writer, keeping: limit) == round)
                let numbers = try writer.all("SELECT number FROM numbered ORDER BY number") { try $0.integer("number") }
                #expect(numbers.count <= limit)
                #expect(numbers.last == round)
                guard round > Int64(limit) else { continue }
                #expect(numbers.count > limit - max(1, limit / 64), "no more goes than has to")
                #expect(numbers.first == round - Int64(numbers.count) + 1, "the oldest goes first")
            }
        }
    }

    @Test func `units that are undone use up no number, and rows that are gone leave gaps`() throws {
        try database.pool.write { database in
            let writer = SQLConnection(database)
            for _ in 1...3 { _ = try Self.insert(writer, keeping: 10) }
            try writer.change("DELETE FROM numbered WHERE number = 2")
            #expect(try Self.insert(writer, keeping: 10) == 4)
        }
        try? database.pool.write { database in
            _ = try Self.insert(SQLConnection(database), keeping: 10)
            throw StoreError.unavailable(cause: "undone")
        }
        let number = try database.pool.write { try Self.insert(SQLConnection($0), keeping: 10) }
        #expect(number == 5)
    }
}
