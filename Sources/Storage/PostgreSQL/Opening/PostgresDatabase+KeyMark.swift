package import Kernel

/// The mark of the root key that belongs to the database. It is derived from the key, differs between two root keys,
/// and reveals neither.
extension PostgresDatabase {
    /// Returns the stored mark.
    ///
    /// The database is not changed.
    ///
    /// - Returns: `nil` for an empty database, and for one that was never started with keys.
    /// - Throws: ``PostgresOpenError`` for a database that can't be read, so that its mark is unknown.
    package static func keyMark(
        _ options: PostgresOptions,
        clock: any MonotonicClock
    ) throws(PostgresOpenError) -> Digest256? {
        try lookIfMigrated(options, clock: clock, mark) ?? nil
    }

    /// Stores the mark, unless there is one already: a database never changes its root key.
    ///
    /// - Returns: The mark that the database has now, which is another one if another start was first.
    /// - Throws: ``PostgresOpenError`` for a database that can't be written.
    package static func keep(
        keyMark: Digest256,
        in options: PostgresOptions,
        environment: Environment
    ) throws(PostgresOpenError) -> Digest256 {
        let now = environment.now()
        return try PostgresOpening(options: options, clock: environment.clock).look { connection in
            let sql = SQLConnection(connection)
            try sql.change(
                "INSERT INTO key_mark (id, mark, recorded_at) VALUES (1, ?, ?) ON CONFLICT (id) DO NOTHING",
                [keyMark.column, now.column]
            )
            guard let stored = try mark(sql) else { throw StoreError.corrupt(cause: "the mark of the keys is gone") }
            return stored
        }
    }

    private static func mark(_ sql: SQLConnection) throws -> Digest256? {
        try sql.first("SELECT mark FROM key_mark") { try $0.digest("mark") }
    }

    /// Whether the database holds accounts or audit rows.
    ///
    /// The database is not changed.
    ///
    /// - Throws: ``PostgresOpenError`` for a database that can't be read, so that its content is unknown.
    package static func holdsRows(
        _ options: PostgresOptions,
        clock: any MonotonicClock
    ) throws(PostgresOpenError) -> Bool {
        try lookIfMigrated(options, clock: clock) { sql in
            try sql.exists("SELECT 1 WHERE EXISTS (SELECT 1 FROM accounts) OR EXISTS (SELECT 1 FROM audit)")
        } ?? false
    }

    /// Runs the body if the database has a schema, without comparing its tables with those of the migrations.
    ///
    /// - Returns: `nil` for an empty database.
    /// - Throws: ``PostgresOpenError``, before `body` is run, for a database of something else, and for a schema that this
    ///   program does not know.
    static func lookIfMigrated<Value>(
        _ options: PostgresOptions,
        clock: any MonotonicClock,
        _ body: (SQLConnection) throws -> Value
    ) throws(PostgresOpenError) -> Value? {
        try PostgresOpening(options: options, clock: clock).look { connection in
            // The first migration creates all tables that `body` reads.
            let migrator = PostgresMigrator(connection: connection)
            guard try migrator.pending().count < Migration.all.count else { return nil }
            return try body(SQLConnection(connection))
        }
    }
}
