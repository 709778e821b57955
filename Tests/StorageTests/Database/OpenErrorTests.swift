import Audit
import Foundation
import GRDB
import Kernel
import Testing

@testable import Storage

/// Databases that the daemon must not touch are refused, with the remedy.
struct OpenErrorTests {
    private let file: TestDatabase

    init() throws { file = try TestDatabase() }

    @Test func `a SQLite that lacks the stores' spellings is refused by its version`() throws {
        #expect(StoreOpenError.outdated(3_038_005) == .outdatedSQLite(version: "3.38.5"))
        #expect(StoreOpenError.outdated(3_039_000) == nil)
        #expect(try #require(StoreOpenError.outdated(3_037_002)).message.contains("3.37.2"))
    }

    @Test func `a missing file is made, with every migration`() throws {
        let options = SQLiteDatabase.Options(path: file.path)
        let (database, applied) = try SQLiteDatabase.open(options, migrating: true, at: TestDatabase.now)
        #expect(applied == Migration.all.map(\.name))
        try database.close()
        #expect(try SQLiteDatabase.open(options, migrating: true, at: TestDatabase.now).applied.isEmpty)
        #expect(try file.count("schema_migrations") == Migration.all.count)
    }

    // Keys are made for a database without rows alone: to a full one they would be outsiders.
    @Test func `a database holds rows once an account or a fact is on record, and asking makes no file`() throws {
        let options = SQLiteDatabase.Options(path: file.path, busyTimeout: .milliseconds(80))
        #expect(try !SQLiteDatabase.holdsRows(options))
        #expect(!FileManager.default.fileExists(atPath: file.path))
        try file.open().close()
        #expect(try !SQLiteDatabase.holdsRows(options))
        try file.tamper("INSERT INTO accounts (id, display_name, state, created_at) VALUES ('a', 'A', 'active', 0)")
        #expect(try SQLiteDatabase.holdsRows(options))
        try file.tamper("DELETE FROM accounts")
        try file.tamper(
            """
            INSERT INTO audit (node, number, at, fact, subject, prev_hash, hash)
            VALUES ('local', 1, 0, 'f', 's', zeroblob(32), zeroblob(32))
            """
        )
        #expect(try SQLiteDatabase.holdsRows(options))
    }

    @Test func `of a file that can't be read nobody says that it holds no rows`() throws {
        try file.write(Array(repeating: UInt8(0xA5), count: 8192))
        #expect(throws: StoreOpenError.self) {
            try SQLiteDatabase.holdsRows(SQLiteDatabase.Options(path: file.path))
        }
    }

    // A later start with another server's keys must not make them the database's own.
    // T-215
    @Test func `the mark of the keys is taken once, by a file without tables too, and read without a change`() throws {
        let options = SQLiteDatabase.Options(path: file.path, busyTimeout: .milliseconds(80))
        let ours = try #require(Digest256(Array(repeating: UInt8(1), count: 32)))
        let foreign = try #require(Digest256(Array(repeating: UInt8(2), count: 32)))
        #expect(try SQLiteDatabase.keyMark(options) == nil)
        #expect(!FileManager.default.fileExists(atPath: file.path))
        try file.write(Data())
        #expect(try SQLiteDatabase.keyMark(options) == nil)
        let database = try file.open()
        #expect(try SQLiteDatabase.keyMark(options) == nil)
        try database.keep(keyMark: ours, at: TestDatabase.now)
        try database.keep(keyMark: foreign, at: TestDatabase.now)
        #expect(try SQLiteDatabase.keyMark(options) == ours)
        try database.close()
        let before = try file.bytes
        #expect(try SQLiteDatabase.keyMark(options) == ours)
        #expect(try file.bytes == before)
    }

    // Whose a database without a mark is, its audit says, before anything is changed.
    @Test func `the audit's last rows are told by a file without tables too, and read without a change`() throws {
        let options = SQLiteDatabase.Options(path: file.path, busyTimeout: .milliseconds(80))
        #expect(try SQLiteDatabase.newestAudit(options, of: "local", limit: 9).isEmpty)
        #expect(!FileManager.default.fileExists(atPath: file.path))
        try file.write(Data())
        #expect(try SQLiteDatabase.newestAudit(options, of: "local", limit: 9).isEmpty)
        try file.open().close()
        for number in 1...3 {
            try file.tamper(
                """
                INSERT INTO audit (node, number, at, fact, subject, prev_hash, hash)
                VALUES ('local', \(number), 0, 'f', 's', zeroblob(32), zeroblob(32))
                """
            )
        }
        let before = try file.bytes
        #expect(try SQLiteDatabase.newestAudit(options, of: "local", limit: 2).map(\.number) == [3, 2])
        #expect(try SQLiteDatabase.newestAudit(options, of: "other", limit: 2).isEmpty)
        #expect(try file.bytes == before)
    }

    // T-215
    @Test func `attack: an unreadable database file is an error and not a missing key mark`() throws {
        try file.write(Array(repeating: UInt8(0xA5), count: 8192))
        #expect(throws: StoreOpenError.self) { try SQLiteDatabase.keyMark(SQLiteDatabase.Options(path: file.path)) }
    }

    @Test func `without migrating a schema that is behind is refused, with the command that helps`() throws {
        let fault = try #require(file.fault(migrating: false))
        #expect(fault == .schema(path: file.path, .behind(missing: Migration.all.map(\.name))))
        #expect(fault.message.contains("vestibule migrate"))
        try file.open().close()
        #expect(file.fault(migrating: false) == nil)
    }

    @Test func `a newer schema is refused, with the program that fits it`() throws {
        try file.open().close()
        try file.tamper("INSERT INTO schema_migrations VALUES (99, 'from the future', 'x', 0)")
        let fault = try #require(file.fault())
        #expect(fault == .schema(path: file.path, .newer(found: 99, known: Migration.all.last?.version ?? 0)))
        #expect(fault.message.contains("newer program") && fault.message.contains(file.path))
    }

    // T-211
    @Test func `attack: a migration with another checksum is refused`() throws {
        try file.open().close()
        try file.tamper("UPDATE schema_migrations SET checksum = 'x' WHERE version = 1")
        let fault = try #require(file.fault())
        #expect(fault == .schema(path: file.path, .tampered(version: 1, name: "schema of 0.1.0")))
        #expect(fault.message.contains("Another commit of Vestibule") && fault.message.contains("new data folder"))
    }

    // T-211
    @Test(arguments: [
        ("ALTER TABLE accounts ADD COLUMN backdoor TEXT", "accounts"),
        ("CREATE TABLE more (id INTEGER)", "more"),
        ("DROP TABLE enrolments", "enrolments"),
        ("DROP INDEX enrolments_by_reference", "enrolments_by_reference"),
        ("CREATE INDEX more ON accounts (display_name)", "more"),
        ("CREATE TRIGGER more AFTER INSERT ON accounts BEGIN UPDATE accounts SET state = 'active'; END", "more"),
        ("CREATE VIEW more AS SELECT * FROM accounts", "more"),
    ])
    func `attack: an altered schema is refused, and the error names the object`(_ sql: String, _ name: String) throws {
        try file.open().close()
        try file.tamper(sql)
        guard case .schema(_, .altered(let objects)) = file.fault() else {
            Issue.record("it was opened")
            return
        }
        #expect(objects.contains(name))
        #expect(file.fault()?.message.contains(name) == true)
    }

    @Test func `a database of something else is refused and left as it was`() throws {
        try file.tamper("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('mine')")
        let before = try file.bytes
        let fault = try #require(file.fault())
        #expect(fault == .schema(path: file.path, .notVestibule))
        #expect(fault.message.contains("storage.file"))
        #expect(try file.bytes == before, "not a byte was changed")
        #expect(try FileManager.default.contentsOfDirectory(atPath: file.folder) == ["vestibule.sqlite"])
    }

    @Test func `a file that is no database is refused and left as it was`() throws {
        let bytes = Data(String(repeating: "This is a letter, not a database. ", count: 200).utf8)
        try file.write(bytes)
        let fault = try #require(file.fault())
        guard case .file(file.path, let cause) = fault else {
            Issue.record("\(fault)")
            return
        }
        #expect(cause.contains("not a database"))
        #expect(fault.message.contains("backup"))
        #expect(try file.bytes == bytes)
    }

    // T-261
    @Test func `a damaged database is refused, or read as damaged, never as empty`() async throws {
        try file.open().close()
        var bytes = try file.bytes
        bytes.replaceSubrange(100..<min(bytes.count, 4096), with: Data(repeating: 0xFF, count: 3996))
        try file.write(bytes)
        guard case .file = file.fault() else {
            Issue.record("it was opened")
            return
        }
    }

    @Test func `a damaged page behind a sound schema is corrupt, not unavailable`() async throws {
        let database = try file.open()
        let unitOfWork = SQLiteUnitOfWork(database)
        let store = SQLAccountStore(database)
        try await unitOfWork.run { transaction in
            for number in 1...50 { try store.insert(Sample.account(UInt64(number)), in: transaction) }
        }
        let page = try await database.pool.read {
            try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'accounts'")
        }
        try database.close()
        var bytes = try file.bytes
        let start = (try #require(page) - 1) * 4096
        bytes.replaceSubrange(start..<start + 4096, with: Data(repeating: 0xFF, count: 4096))
        try file.write(bytes)
        let damaged = SQLAccountStore(try file.open())
        do {
            _ = try await damaged.list(limit: 10)
            Issue.record("it was read")
        } catch let failure as StoreError {
            #expect(!failure.isUnavailable, "\(failure)")
        }
    }

    @Test func `a folder that is not there, and a folder in the file's place, are refused`() throws {
        let missing = SQLiteDatabase.Options(path: file.folder + "/no/such/file.sqlite")
        let folder = SQLiteDatabase.Options(path: file.folder)
        for options in [missing, folder] {
            let fault = #expect(throws: StoreOpenError.self) {
                try SQLiteDatabase.open(options, migrating: true, at: TestDatabase.now)
            }
            guard case .file(options.path, _) = fault else {
                Issue.record("\(String(describing: fault))")
                return
            }
            #expect(fault?.message.contains("folder belong to this user") == true)
        }
    }

    @Test func `a file that another program holds is refused, and opens when it is given back`() throws {
        try file.open().close()
        let outsider = try file.outsider()
        try outsider.writeWithoutTransaction { try $0.execute(sql: "BEGIN EXCLUSIVE") }
        guard case .file(_, let cause) = file.fault() else {
            Issue.record("it was opened")
            return
        }
        #expect(cause.contains("locked"))
        try outsider.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        #expect(file.fault() == nil)
    }

    @Test func `a migration that fails halfway leaves nothing behind`() throws {
        // Its tables are there already, yet no migration is on record.
        try file.open().close()
        try file.tamper("DELETE FROM schema_migrations")
        #expect(file.fault() != nil)
        #expect(try file.count("schema_migrations") == 0)
    }
}
