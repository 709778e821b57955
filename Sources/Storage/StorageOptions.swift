package import Audit
package import Kernel

/// The database that holds the rows: the SQLite file, or the PostgreSQL database if one is set.
package struct StorageOptions: Sendable, Equatable {
    package var sqlite: SQLiteDatabase.Options
    /// `nil`: the SQLite file is used.
    package var postgres: PostgresOptions?

    package init(sqlite: SQLiteDatabase.Options, postgres: PostgresOptions? = nil) {
        self.sqlite = sqlite
        self.postgres = postgres
    }

    /// The path of the database file; `nil` for a database on a server.
    package var file: String? { postgres == nil ? sqlite.path : nil }
}

/// What a database tells before it is opened for writing. Nothing in it is changed.
///
/// Each throws ``StoreOpenError`` or ``PostgresOpenError`` for a database that can't be read, so that its content is
/// unknown.
extension StorageOptions {
    /// The database as messages name it: the path of the file, or the database and its server.
    package var name: String { postgres.map(Self.name(of:)) ?? sqlite.path }

    /// Returns a PostgreSQL database and its server as messages name them.
    package static func name(of postgres: PostgresOptions) -> String {
        (try? postgres.address.name) ?? "of PostgreSQL"
    }

    /// Returns the mark of the root key that belongs to the database; `nil` if it was never started with keys.
    package func keyMark(clock: any MonotonicClock) throws -> Digest256? {
        guard let postgres else { return try SQLiteDatabase.keyMark(sqlite) }
        return try PostgresDatabase.keyMark(postgres, clock: clock)
    }

    /// Whether the database has accounts or audit rows.
    package func holdsRows(clock: any MonotonicClock) throws -> Bool {
        guard let postgres else { return try SQLiteDatabase.holdsRows(sqlite) }
        return try PostgresDatabase.holdsRows(postgres, clock: clock)
    }

    /// Returns the newest rows of the node's audit, the last first; an empty list for a database without an audit.
    package func newestAudit(of node: String, limit: Int, clock: any MonotonicClock) throws -> [AuditRow] {
        guard let postgres else { return try SQLiteDatabase.newestAudit(sqlite, of: node, limit: limit) }
        return try PostgresDatabase.newestAudit(postgres, of: node, limit: limit, clock: clock)
    }
}
