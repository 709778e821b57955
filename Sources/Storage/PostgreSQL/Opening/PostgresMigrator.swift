import Kernel

/// Migrates a PostgreSQL database to this program's schema, and refuses one that this program must not change.
///
/// Daemons of two versions may run on one database. So each migration names the oldest program that can run on it, and
/// only `vestibule migrate` runs migrations.
struct PostgresMigrator {
    /// The longest time for the statements of one migration, such as for the index of a large table.
    static let limit: Duration = .seconds(3600)

    /// The number of the lock that excludes other migrations: "vestibul" in ASCII.
    private static let lock: Int64 = 0x7665_7374_6962_756C

    let connection: PostgresConnection
    var migrator = Migrator()
    /// The longest wait for another migration, or for a transaction that uses a table.
    ///
    /// Other transactions that need the table wait as long.
    var patience: Duration = .seconds(10)

    var sql: SQLConnection { SQLConnection(connection) }

    /// Returns the migrations that were not run yet.
    ///
    /// - Throws: ``SchemaError`` for a database of something else, and for a schema that this program does not know.
    ///   ``PostgresOpenError/Reason/rights(_:)`` for a role that may not see whether there is a schema.
    func pending() throws -> [Migration] {
        guard try sql.exists("SELECT 1 WHERE current_schema() IS NOT NULL") else {
            throw PostgresOpenError.Reason.rights(["USAGE on the schema"])
        }
        guard try exists("schema_migrations") else {
            if try PostgresCatalogue(.current, sql).definitions.isEmpty { return migrator.migrations }
            // Another program may have created the schema between the two looks.
            guard try exists("schema_migrations") else { throw SchemaError.notVestibule }
            return try migrator.missing(among: applied())
        }
        return try migrator.missing(among: applied())
    }

    /// Runs the missing migrations, all or none of them.
    ///
    /// - Returns: The names of the migrations that were run.
    func migrate(at now: Instant) throws -> [String] {
        // The lock ends with the connection.
        try connection.script(
            """
            SET statement_timeout = 0;
            SET lock_timeout = \(patience.wholeMilliseconds);
            SELECT pg_advisory_lock(\(Self.lock));
            """,
            within: patience * 2
        )
        connection.begin(.migration)
        do {
            let missing = try pending()
            if !missing.isEmpty { try createTable() }
            for migration in missing { try run(migration, at: now) }
            try connection.commit(within: Self.limit)
            return missing.map(\.name)
        } catch {
            connection.rollback()
            throw error
        }
    }

    /// Throws unless the tables are exactly those that the migrations create.
    ///
    /// The server is asked to create them as temporary tables, and to print both. For a schema of a newer program
    /// nothing is compared.
    func checkShape() throws {
        let known = migrator.migrations.last?.version ?? 0
        guard try applied().allSatisfy({ $0.version <= known }) else { return }
        connection.begin(.migration)
        defer { connection.rollback() }
        let found = try PostgresCatalogue(.current, sql)
        try connection.script("SET LOCAL search_path = pg_temp", within: Self.limit)
        try createTable()
        for migration in migrator.migrations { try create(migration) }
        let expected = try PostgresCatalogue(.temporary, sql)
        let names = found.differences(from: expected)
        guard names.isEmpty else { throw SchemaError.altered(objects: names) }
    }

    /// Whether the current schema has a table of that name that the role may know of.
    func exists(_ table: StaticString) throws -> Bool {
        try sql.exists(
            """
            SELECT 1 FROM pg_class WHERE relname = '\(table)' AND relkind = 'r'
                AND relnamespace = \(PostgresCatalogue.Place.current.rawValue)
            """
        )
    }

    private func applied() throws -> [AppliedMigration] {
        try sql.all("SELECT version, checksum, oldest_program FROM schema_migrations") { columns in
            AppliedMigration(
                version: try columns.count("version"),
                checksum: try columns.text("checksum"),
                oldestProgram: try columns.count("oldest_program")
            )
        }
    }

    private func createTable() throws {
        try connection.script(
            """
            CREATE TABLE IF NOT EXISTS schema_migrations (
                version BIGINT PRIMARY KEY NOT NULL,
                name TEXT COLLATE "C" NOT NULL,
                checksum TEXT COLLATE "C" NOT NULL,
                oldest_program BIGINT NOT NULL,
                applied_at BIGINT NOT NULL
            )
            """,
            within: Self.limit
        )
    }

    private func create(_ migration: Migration) throws {
        try connection.script(PostgresSchema.statements(of: migration).joined(separator: ";\n"), within: Self.limit)
    }

    private func run(_ migration: Migration, at now: Instant) throws {
        try create(migration)
        _ = try sql.change(
            """
            INSERT INTO schema_migrations (version, name, checksum, oldest_program, applied_at)
            VALUES (?, ?, ?, ?, ?)
            """,
            [
                migration.version.column, migration.name.column, migration.checksum.column,
                (migration.oldestProgram ?? migration.version).column, now.column,
            ]
        )
    }
}
