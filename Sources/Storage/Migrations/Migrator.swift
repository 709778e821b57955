import GRDB
import GRDBSQLite
import Kernel

/// Migrates a database to this program's schema, and refuses a database that this program must not change.
struct Migrator: Sendable {
    /// All migrations, in order.
    var migrations = Migration.all

    /// Runs the missing migrations in one transaction.
    ///
    /// - Returns: The names of the migrations that were run.
    func migrate(_ database: Database, at now: Instant) throws -> [String] {
        try database.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS schema_migrations (
                    version INTEGER PRIMARY KEY NOT NULL,
                    name TEXT NOT NULL,
                    checksum TEXT NOT NULL,
                    applied_at INTEGER NOT NULL
                ) STRICT
                """
        )
        let missing = try pending(database)
        for migration in missing {
            try database.execute(sql: migration.sqlite)
            try database.execute(
                sql: "INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES (?, ?, ?, ?)",
                arguments: [migration.version, migration.name, migration.checksum, now.milliseconds]
            )
        }
        return missing.map(\.name)
    }

    /// Returns the migrations that were not run yet.
    ///
    /// - Throws: ``SchemaError`` for a schema that is newer than this program, or whose migrations differ from the
    ///   released.
    func pending(_ database: Database) throws -> [Migration] {
        guard try database.tableExists("schema_migrations") else {
            guard try Self.isEmpty(database) else { throw SchemaError.notVestibule }
            return migrations
        }
        let rows = try Row.fetchAll(database, sql: "SELECT version, checksum FROM schema_migrations")
        return try missing(among: rows.map { AppliedMigration(version: $0["version"], checksum: $0["checksum"]) })
    }

    /// Refuses a schema from a commit before 0.1.0: its first migration had another name, and further ones followed.
    static func refuseUnreleased(_ database: Database) throws {
        guard try database.tableExists("schema_migrations"), try Row.fetchOne(database, sql: unreleased) != nil else {
            return
        }
        throw SchemaError.unreleased
    }

    /// Refuses such a schema without creating an SQLite file beside the database.
    ///
    /// The file is opened as immutable. Any other connection, even a reading one, leaves an empty log beside a file
    /// that has none. The content of an existing log is not seen.
    static func refuseUnreleased(at path: String) throws {
        var connection: OpaquePointer?
        var statement: OpaquePointer?
        defer {
            sqlite3_finalize(statement)
            sqlite3_close_v2(connection)
        }
        let uri = "file:\(PercentEncoding.component(path))?immutable=1"
        guard sqlite3_open_v2(uri, &connection, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil) == SQLITE_OK,
            sqlite3_prepare_v2(connection, unreleased, -1, &statement, nil) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW
        else { return }
        throw SchemaError.unreleased
    }

    private static let unreleased = "SELECT 1 FROM schema_migrations WHERE version = 1 AND name = 'initial schema'"

    /// Throws unless the tables are exactly those that the migrations create.
    func checkShape(_ database: Database) throws {
        let reference = try DatabaseQueue()
        let expected = try reference.write { fresh in
            _ = try migrate(fresh, at: Instant(milliseconds: 0))
            return try Self.shape(fresh)
        }
        let found = try Self.shape(database)
        guard found != expected else { return }
        let names = Set(found.keys).union(expected.keys).filter { found[$0] != expected[$0] }
        throw SchemaError.altered(objects: names.sorted())
    }

    private static func shape(_ database: Database) throws -> [String: String] {
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"
        )
        return Dictionary(rows.map { ($0["name"], $0["sql"]) }, uniquingKeysWith: { first, _ in first })
    }

    private static func isEmpty(_ database: Database) throws -> Bool {
        try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM sqlite_schema") == 0
    }
}
