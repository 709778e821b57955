import Audit
import Foundation
import GRDB
import Kernel
import PostgresServer
import Testing

@testable import Storage

/// Rows that are moved from SQLite to PostgreSQL.
struct StorageMoveTests {
    private let fixture: MoveFixture

    init() async throws { fixture = try await MoveFixture() }

    // T-270
    @Test func `every row of every table is moved with its values, the extreme ones too`() async throws {
        try fixture.stretch()
        let progress = Collected<MoveProgress>()
        let moved = try await fixture.move { progress.add($0) }
        let tables = try fixture.tables().map(\.name)
        #expect(moved.tables.map(\.name) == tables && tables.count > 30)
        var found: Set<String> = []
        for table in tables {
            let expected = try fixture.rowsOfSource(table)
            #expect(!expected.isEmpty, "\(table)")
            #expect(try await fixture.rowsOfTarget(table) == expected, "\(table)")
            #expect(moved.tables.first { $0.name == table }?.rows == expected.count, "\(table)")
            found.formUnion(expected.flatMap { $0.map { $0 ?? "NULL" } })
        }
        let bytes = "\\x" + Hex.encode(Array(UInt8.min...UInt8.max))
        #expect(found.isSuperset(of: ["\(Int64.min)", "\(Int64.max)", "", "\\x", bytes, "NULL", "\u{1}\u{E000}"]))
        #expect(found.contains { $0.utf8.count > 50_000 })
        #expect(moved.rows > MoveFixture.attributes)
        #expect(progress.all.contains(.counted(tables: tables.count, rows: moved.rows)))
        #expect(progress.all.last == .verified)
        for table in moved.tables {
            #expect(progress.all.contains(.copied(table: table.name, rows: table.rows)))
            #expect(progress.all.contains(.compared(table: table.name, rows: table.rows)))
        }
    }

    @Test func `the schema is the one that migrate makes, and a daemon opens it`() async throws {
        _ = try await fixture.move()
        #expect(fixture.target.refusal() == nil)
        let options = SQLiteDatabase.Options(path: fixture.file.path)
        let mark = try #require(try SQLiteDatabase.keyMark(options))
        #expect(try PostgresDatabase.keyMark(fixture.target.options, clock: Environment.tests.clock) == mark)
    }

    @Test func `numbers that the database assigns go on above those of all rows`() async throws {
        _ = try await fixture.move()
        let tables = try fixture.tables().filter(\.isNumbered).map(\.name)
        #expect(tables.count >= 5)
        for table in tables {
            let rows = try await fixture.target.run(
                """
                SELECT CASE WHEN nextval(pg_get_serial_sequence('\(table)', 'number')) = (SELECT MAX(number) + 1 FROM \(table))
                    THEN 'next' ELSE 'another' END
                """
            )
            #expect(rows == [["next"]], "\(table)")
        }
    }

    @Test func `the SQLite file is not changed`() async throws {
        let before = try fixture.file.bytes
        _ = try await fixture.move()
        #expect(try fixture.file.bytes == before)
        #expect((FileStatus(fixture.file.path + "-wal")?.bytes ?? 0) == 0)
        try fixture.file.open().close()
    }

    @Test func `rows that are only in the log of a killed daemon are moved`() async throws {
        let database = try fixture.file.open()
        try await database.pool.write { writer in
            try writer.execute(
                sql: "INSERT INTO accounts (id, display_name, state, created_at) VALUES ('late', 'L', 'active', 0)"
            )
        }
        #expect((FileStatus(fixture.file.path + "-wal")?.bytes ?? 0) > 0)
        _ = try await fixture.move()
        #expect(try await fixture.target.run("SELECT display_name FROM accounts WHERE id = 'late'") == [["L"]])
        try database.close()
    }

    @Test func `the audit is verified in both databases, and in PostgreSQL before the commit`() async throws {
        let seen = Collected<[Int64]>()
        let outside = Collected<Int>()
        _ = try await fixture.move(verifyingAudit: { database in
            let rows = try await SQLAuditStore(database).rows(of: "local", from: 1, limit: 100)
            seen.add(rows.map(\.number))
            outside.add(try await fixture.rowsOfTarget())
        })
        #expect(seen.count == 2 && seen.all.first == seen.all.last && seen.all.first?.isEmpty == false)
        #expect(outside.all == [0, 0])
    }

    private struct Unsound: Error {}

    // T-270
    @Test(arguments: [1, 2]) func `an audit that is not sound, in either database, moves nothing`(
        _ call: Int
    ) async throws {
        let calls = Collected<Int>()
        await #expect(throws: Unsound.self) {
            try await fixture.move(verifyingAudit: { _ in
                if calls.add(1) == call { throw Unsound() }
            })
        }
        #expect(try await fixture.rowsOfTarget() == 0)
    }

    // T-270
    @Test(arguments: ["accounts", "sessions", "payments", "audit"])
    func `an interruption after a table leaves no row, and the move can be run again`(_ table: String) async throws {
        let refusal = try await fixture.refusal { progress in
            if case .copied(let copied, _) = progress, copied == table { fixture.endTransaction() }
        }
        #expect(refusal?.code == .targetLost, "\(String(describing: refusal))")
        #expect(try await fixture.rowsOfTarget() == 0)
        let moved = try await fixture.move()
        #expect(try await fixture.rowsOfTarget() == moved.rows)
    }

    // T-270
    @Test func `a connection that ends at the commit is told as uncertain, and the move can be run again`() async throws
    {
        let refusal = try await fixture.refusal { progress in
            if progress == .verified { fixture.endTransaction() }
        }
        #expect(refusal?.code == .targetUncertain, "\(String(describing: refusal))")
        #expect(refusal?.message.contains("either all rows were moved or none") == true)
        #expect(try await fixture.rowsOfTarget() == 0)
        _ = try await fixture.move()
    }

    // T-270
    @Test(arguments: ["accounts", "audit"])
    func `attack: a row that is changed in SQLite during the move moves nothing`(_ table: String) async throws {
        let (file, rows) = (fixture.file, try fixture.file.count("accounts"))
        let refusal = try await fixture.refusal { progress in
            // Before the accounts are copied, or after that.
            let isDue =
                switch progress {
                case .counted: table == "accounts"
                case .copied(let copied, _): table == "audit" && copied == table
                case .read, .copying, .compared, .verified: false
                }
            if isDue { try? file.tamper("UPDATE accounts SET display_name = display_name || '!'") }
        }
        #expect(refusal?.code == .sourceChanged, "\(String(describing: refusal))")
        #expect(rows > 0)
        #expect(try await fixture.rowsOfTarget() == 0)
    }
}
