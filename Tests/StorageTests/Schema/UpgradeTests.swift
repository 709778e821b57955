import Foundation
import GRDB
import Kernel
import Testing

@testable import Storage

/// The upgrade of a database from one version to the next, with a second migration that is not released.
struct UpgradeTests {
    private static let second = Migration(
        version: 2,
        name: "nicknames",
        sqlite: """
            ALTER TABLE accounts ADD COLUMN nickname TEXT NOT NULL DEFAULT '';
            UPDATE accounts SET nickname = lower(display_name);
            """
    )

    private static let upgraded = Migrator(migrations: Migration.all + [second])

    /// A database of version 1 with a row.
    private let file: TestDatabase

    init() throws {
        file = try TestDatabase()
        try file.open().close()
        try file.tamper("INSERT INTO accounts (id, display_name, state, created_at) VALUES ('a', 'Ada', 'active', 0)")
    }

    @Test func `a step that is missing runs once, over the rows that are there`() throws {
        let options = SQLiteDatabase.Options(path: file.path)
        for expected in [["nicknames"], []] {
            let (database, applied) = try SQLiteDatabase.open(
                options,
                with: Self.upgraded,
                migrating: true,
                at: TestDatabase.now
            )
            try database.close()
            #expect(applied == expected)
        }
        #expect(try file.rows("SELECT nickname FROM accounts").map { $0["nickname"] as String } == ["ada"])
        let steps = try file.rows("SELECT version, name, checksum, applied_at FROM schema_migrations ORDER BY version")
        #expect(steps.map { $0["version"] as Int } == [1, 2])
        #expect(steps.map { $0["name"] as String } == ["schema of 0.1.0", "nicknames"])
        #expect(steps.map { $0["checksum"] as String } == [Migration.version1.checksum, Self.second.checksum])
        #expect(steps.allSatisfy { $0["applied_at"] == TestDatabase.now.milliseconds })
    }

    @Test func `without migrating a step that is missing is named, and does not run`() throws {
        #expect(
            file.fault(migrating: false, with: Self.upgraded)
                == .schema(path: file.path, .behind(missing: ["nicknames"]))
        )
        #expect(file.fault(migrating: false) == nil, "the program of before still opens it")
    }

    @Test func `a step that was changed after it ran is refused by its checksum`() throws {
        #expect(file.fault(with: Self.upgraded) == nil)
        let edited = Migration(version: 2, name: "nicknames", sqlite: Self.second.sqlite + "\n-- One more thought.")
        let fault = file.fault(with: Migrator(migrations: Migration.all + [edited]))
        #expect(fault == .schema(path: file.path, .tampered(version: 2, name: "nicknames")))
        let first = Migration(version: 1, name: "schema of 0.1.0", sqlite: Migration.version1.sqlite + " ")
        let other = file.fault(with: Migrator(migrations: [first, Self.second]))
        #expect(other == .schema(path: file.path, .tampered(version: 1, name: "schema of 0.1.0")))
        #expect(file.fault(with: Self.upgraded) == nil)
    }

    @Test func `a schema of a newer program is refused by the older one`() throws {
        #expect(file.fault(with: Self.upgraded) == nil)
        #expect(file.fault() == .schema(path: file.path, .newer(found: 2, known: 1)))
    }

    @Test func `a step that fails halfway leaves nothing of itself behind`() throws {
        let failing = Migration(version: 2, name: "nicknames", sqlite: Self.second.sqlite + "\nDROP TABLE nothing;")
        #expect(file.fault(with: Migrator(migrations: Migration.all + [failing])) != nil)
        #expect(try file.count("schema_migrations") == 1)
        #expect(file.fault(migrating: false) == nil)
    }
}

/// A data folder of a commit before 0.1.0: its schema came about in other steps.
struct UnreleasedSchemaTests {
    private let file: TestDatabase

    init() throws {
        file = try TestDatabase()
        try file.open().close()
        try file.tamper(
            """
            DELETE FROM schema_migrations;
            INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES
                (1, 'initial schema', '6f', 0), (2, 'operation kinds', '70', 0), (52, 'client endings', '71', 0);
            INSERT INTO accounts (id, display_name, state, created_at) VALUES ('a', 'Ada', 'active', 0);
            """
        )
    }

    private var files: [String: Data] {
        get throws {
            let names = try FileManager.default.contentsOfDirectory(atPath: file.folder)
            return try Dictionary(
                uniqueKeysWithValues: names.filter { !$0.hasSuffix("-shm") }.map { name in
                    (name, try Data(contentsOf: URL(filePath: "\(file.folder)/\(name)")))
                }
            )
        }
    }

    @Test func `it is refused by every way to open or look at it, and left as it was`() throws {
        let (before, options) = (try files, SQLiteDatabase.Options(path: file.path, busyTimeout: .milliseconds(80)))
        let refusal = StoreOpenError.schema(path: file.path, .unreleased)
        #expect(file.fault() == refusal)
        #expect(file.fault(migrating: false) == refusal)
        #expect(throws: refusal) { try SQLiteDatabase.keyMark(options) }
        #expect(throws: refusal) { try SQLiteDatabase.holdsRows(options) }
        #expect(throws: refusal) { try SQLiteDatabase.newestAudit(options, of: "local", limit: 9) }
        #expect(try files == before)
    }

    @Test func `the refusal says what it is and what to do`() {
        #expect(
            file.fault()?.message
                == "The database \(file.path) is refused: it is of a Vestibule before 0.1.0, which this version can't read. "
                + "Start with a new data folder: data of before 0.1.0 can't be upgraded. Nothing was changed."
        )
    }
}
