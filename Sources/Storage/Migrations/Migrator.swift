import GRDB
import Kernel

/// Brings a database to this program's schema, and refuses one that this program must not touch.
enum Migrator {
    /// Runs what is missing up to a version, all in one transaction; returns the names of what ran.
    static func migrate(_ database: Database, at now: Instant, upTo version: Int = .max) throws -> [String] {
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
        let missing = try pending(database).filter { $0.version <= version }
        for migration in missing {
            try database.execute(sql: migration.sqlite)
            try database.execute(
                sql: "INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES (?, ?, ?, ?)",
                arguments: [migration.version, migration.name, migration.checksum, now.milliseconds]
            )
        }
        return missing.map(\.name)
    }

    /// What has not run yet.
    /// - Throws: ``SchemaFault`` for a schema that is newer than this program, or not what it once ran.
    static func pending(_ database: Database) throws -> [Migration] {
        guard try database.tableExists("schema_migrations") else {
            guard try isEmpty(database) else { throw SchemaFault.notVestibule }
            return Migration.all
        }
        var applied: [Int: (name: String, checksum: String)] = [:]
        for row in try Row.fetchAll(database, sql: "SELECT version, name, checksum FROM schema_migrations") {
            applied[row["version"]] = (row["name"], row["checksum"])
        }
        let newest = Migration.all.last?.version ?? 0
        if let newer = applied.keys.max(), newer > newest { throw SchemaFault.newer(found: newer, known: newest) }
        for migration in Migration.all {
            guard let (_, checksum) = applied[migration.version] else { continue }
            guard checksum == migration.checksum else {
                throw SchemaFault.tampered(version: migration.version, name: migration.name)
            }
        }
        return Migration.all.filter { applied[$0.version] == nil }
    }

    /// Whether the tables are those that the migrations make, no more, no fewer, no different.
    static func checkShape(_ database: Database) throws {
        let reference = try DatabaseQueue()
        let expected = try reference.write { fresh in
            _ = try migrate(fresh, at: Instant(milliseconds: 0))
            return try shape(fresh)
        }
        let found = try shape(database)
        guard found != expected else { return }
        let names = Set(found.keys).union(expected.keys).filter { found[$0] != expected[$0] }
        throw SchemaFault.altered(objects: names.sorted())
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

/// Why a schema is refused.
package enum SchemaFault: Error, Equatable, Sendable {
    case newer(found: Int, known: Int)
    case tampered(version: Int, name: String)
    /// Tables or indices differ from what the migrations make.
    case altered(objects: [String])
    /// A database of something else.
    case notVestibule
    /// Migrations are missing and this command does not run them.
    case behind(missing: [String])
}
