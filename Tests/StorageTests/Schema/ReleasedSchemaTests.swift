import Foundation
import GRDB
import Kernel
import Testing

@testable import Storage

/// A database that 0.1.0 wrote, opened by this version, and by one after it.
///
/// The file has the schema of 0.1.0 and what its stores wrote, with rows in every table. It is never changed, nor is the
/// migration that made it: a change of the schema is a migration of its own.
struct ReleasedSchemaTests {
    /// The checksum of the first migration on the day of its release.
    private static let checksum = "81ad25d76b7aad9d6f6285aee3026d8625554397a763fc759e813a291c99c9ed"

    /// A step that no version has: it adds a column with a value, and builds a table again with a stricter check.
    private static let next = Migration(
        version: (Migration.all.last?.version ?? 0) + 1,
        name: "nicknames",
        sqlite: """
            ALTER TABLE accounts ADD COLUMN nickname TEXT NOT NULL DEFAULT '';
            UPDATE accounts SET nickname = lower(display_name);
            CREATE TABLE counts_of_devices (
                device TEXT PRIMARY KEY NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
                count INTEGER NOT NULL CHECK (count >= 0)
            ) STRICT, WITHOUT ROWID;
            INSERT INTO counts_of_devices SELECT device, count FROM device_counts;
            DROP TABLE device_counts;
            ALTER TABLE counts_of_devices RENAME TO device_counts;
            """
    )

    private let file: TestDatabase

    init() throws {
        file = try TestDatabase()
        let dump = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Fixtures/schema-0.1.0.sql")
        try file.tamper(String(contentsOf: dump, encoding: .utf8))
    }

    @Test func `the first migration is the one that was released`() {
        #expect(
            Migration.all.first?.checksum == Self.checksum,
            """
            The schema of 0.1.0 is released, and every database remembers its checksum: put Version1 back as it was, and \
            write the change as a migration of its own.
            """
        )
    }

    @Test func `a database of the first release has rows in every table, and takes the missing steps`() async throws {
        for table in try tables() { #expect(try file.count(table) > 0, "\(table)") }
        let before = try contents()
        let options = SQLiteDatabase.Options(path: file.path)
        let (database, applied) = try SQLiteDatabase.open(options, migrating: true, at: TestDatabase.now)
        #expect(applied == Migration.all.dropFirst().map(\.name))
        try database.close()
        if applied.isEmpty { #expect(try contents() == before) }
        #expect(try file.rows("PRAGMA foreign_key_check").isEmpty)
        #expect(try file.rows("PRAGMA integrity_check").map { $0[0] as String } == ["ok"])
    }

    @Test func `every row of the first release is read by today's stores`() async throws {
        let database = try file.open()
        for reading in try await ReleasedRows(file: file, database: database).readings() {
            #expect(reading.read == reading.expected, "\(reading.table)")
        }
    }

    @Test func `every row of the first release is written by today's stores and checks`() async throws {
        let database = try file.open()
        try await ReleasedRows(file: file, database: database).write()
        try await database.pool.write { writer in
            for table in try Self.tables(of: writer) {
                let columns = try writer.columns(in: table).map { "\($0.name) = \($0.name)" }.joined(separator: ", ")
                try writer.execute(sql: "UPDATE \(table) SET \(columns)")
            }
        }
    }

    @Test func `the next step keeps every row of a database that has some in each table`() throws {
        try file.open().close()
        let before = try contents()
        let migrator = Migrator(migrations: Migration.all + [Self.next])
        #expect(file.fault(with: migrator) == nil)
        var after = try contents()
        #expect(try file.rows("SELECT nickname FROM accounts WHERE nickname <> lower(display_name)").isEmpty)
        after["accounts"] = after["accounts"]?.map { row in row.filter { $0.key != "nickname" } }
        #expect(after == before)
        #expect(try file.rows("PRAGMA foreign_key_check").isEmpty)
    }

    @Test func `the older program refuses what the next one wrote, says what to do, and changes nothing`() throws {
        #expect(file.fault(with: Migrator(migrations: Migration.all + [Self.next])) == nil)
        let before = try contents()
        for isMigrating in [true, false] {
            #expect(
                file.fault(migrating: isMigrating)?.message
                    == "The database \(file.path) is refused: its schema has version \(Self.next.version), this program knows "
                    + "\(Self.next.version - 1). Start the newer program that wrote it."
            )
        }
        #expect(try contents() == before)
    }

    private func tables() throws -> [String] {
        let queue = try file.outsider()
        defer { try? queue.close() }
        return try queue.read(Self.tables)
    }

    private static func tables(of database: Database) throws -> [String] {
        try String.fetchAll(
            database,
            sql: """
                SELECT name FROM sqlite_schema
                WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'schema_migrations' ORDER BY name
                """
        )
    }

    /// Every row of every table, by its columns.
    private func contents() throws -> [String: [[String: DatabaseValue]]] {
        try Dictionary(
            uniqueKeysWithValues: tables().map { table in
                let rows = try file.rows("SELECT * FROM \(table)")
                return (table, rows.map { Dictionary(uniqueKeysWithValues: $0.map { ($0.0, $0.1) }) })
            }
        )
    }
}
