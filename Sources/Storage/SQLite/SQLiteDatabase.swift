// Storage: every store, in SQL that names no engine (SQL/), and the one engine, SQLite (SQLite/).
// Owns connections, group commit, the schema and its migrations, and the stores by feature.
// Decides nothing: the rules are in the modules whose ports it implements.
// Survives power cuts, full disks, and a file that is deleted or damaged while in use: it refuses with the cause.
// SQL is written out with bound values. Columns are read by their names.

import GRDB
import GRDBSQLite
import Glibc
package import Kernel
import Synchronization

/// The SQLite file: opened with its settings, its schema checked and migrated to this version.
package final class SQLiteDatabase: Sendable {
    /// The path and the settings with which the file is opened.
    package struct Options: Sendable, Equatable {
        package var path: String
        package var durability: Durability
        /// The longest wait for another process's lock.
        package var busyTimeout: Duration

        package init(path: String, durability: Durability = .full, busyTimeout: Duration = .seconds(5)) {
            self.path = path
            self.durability = durability
            self.busyTimeout = busyTimeout
        }
    }

    /// The point at which a commit counts as done.
    package enum Durability: String, Sendable, CaseIterable {
        /// The commit is on the disk: a power cut loses nothing that was acknowledged (`synchronous=FULL`).
        case full
        /// The operating system has the commit: a power cut may lose the last moments (`synchronous=NORMAL`).
        case normal
    }

    let pool: DatabasePool
    package let path: String
    let metrics: StoreMetrics?
    let files: DatabaseFiles
    /// The statements of the units of work.
    let statements = SQLiteStatements()
    private let isClosed = Mutex(false)

    private init(pool: DatabasePool, path: String, metrics: StoreMetrics?) {
        self.pool = pool
        self.metrics = metrics
        self.path = path
        files = DatabaseFiles(path: path)
    }

    /// Opens the file, and creates it if it is missing.
    ///
    /// `migrating`: whether missing migrations are run. Otherwise an older schema is refused.
    ///
    /// `metrics`: `nil` measures nothing.
    ///
    /// - Throws: ``StoreOpenError``, whose message says what to do.
    package static func open(
        _ options: Options,
        migrating: Bool,
        at now: Instant,
        metrics: StoreMetrics? = nil
    ) throws(StoreOpenError) -> (database: SQLiteDatabase, applied: [String]) {
        try open(options, with: Migrator(), migrating: migrating, at: now, metrics: metrics)
    }

    static func open(
        _ options: Options,
        with migrator: Migrator,
        migrating: Bool,
        at now: Instant,
        metrics: StoreMetrics? = nil
    ) throws(StoreOpenError) -> (database: SQLiteDatabase, applied: [String]) {
        let isSuspected = WriteAheadLogCheck.isSuspected(options.path)
        do {
            _ = try look(options) { database in
                if isSuspected { try WriteAheadLogCheck.check(database) }
                return try migrator.pending(database)
            }
            let pool = try DatabasePool(path: options.path, configuration: configuration(options))
            // Set after the pool's own settings: GRDB sets NORMAL when it switches the file to WAL.
            try pool.writeWithoutTransaction { try set(options.durability, $0) }
            let applied = try pool.write { database in
                let missing = try migrator.pending(database)
                guard migrating || missing.isEmpty else { throw SchemaError.behind(missing: missing.map(\.name)) }
                let applied = try migrator.migrate(database, at: now)
                try migrator.checkShape(database)
                return applied
            }
            return (SQLiteDatabase(pool: pool, path: options.path, metrics: metrics), applied)
        } catch {
            throw .reading(options.path, error)
        }
    }

    /// Writes the log back into the file and closes it; further calls do nothing.
    package func close() throws {
        // SQLite does not check the connection on which the log is written back: with a closed one it crashes.
        let wasClosed = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return isClosed
        }
        guard !wasClosed else { return }
        try? pool.writeWithoutTransaction { database in
            statements.end()
            _ = try database.checkpoint(.truncate)
        }
        try pool.close()
    }

    /// Whether the file exists and holds accounts or audit rows.
    ///
    /// The file is not changed.
    ///
    /// - Throws: ``StoreOpenError`` for a file that can't be read, so that its content is unknown.
    package static func holdsRows(_ options: Options) throws(StoreOpenError) -> Bool {
        do {
            let found: Bool? = try look(options) { database in
                // The first migration creates both tables.
                guard try database.tableExists("accounts"), try database.tableExists("audit") else { return false }
                return try Bool.fetchOne(
                    database,
                    sql: "SELECT EXISTS (SELECT 1 FROM accounts) OR EXISTS (SELECT 1 FROM audit)"
                ) ?? false
            }
            return found ?? false
        } catch {
            throw .reading(options.path, error)
        }
    }

    /// Reads the file before anything is changed.
    ///
    /// A pool switches any file that it opens to WAL, which changes the file.
    ///
    /// - Returns: `nil` for a missing file.
    /// - Throws: ``SchemaError/unreleased``, before `body` is run, for a database from before 0.1.0.
    static func look<Value>(_ options: Options, _ body: (Database) throws -> Value) throws -> Value? {
        guard let queue = try reader(options) else { return nil }
        defer { try? queue.close() }
        return try queue.read { database in
            try Migrator.refuseUnreleased(database)
            return try body(database)
        }
    }

    /// Opens the file on one connection that only reads.
    ///
    /// - Returns: `nil` for a missing file.
    static func reader(_ options: Options) throws -> DatabaseQueue? {
        SQLiteLibrary.configure()
        if let outdated = StoreOpenError.outdated(sqlite3_libversion_number()) { throw outdated }
        try Migrator.refuseUnreleased(at: options.path)
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = busyMode(options)
        do { return try DatabaseQueue(path: options.path, configuration: configuration) } catch let fault
            as DatabaseError where fault.resultCode == .SQLITE_CANTOPEN && isMissing(options.path)
        { return nil }
    }

    /// Whether there is no file; one that exists and can't be opened is different, since its content is unknown.
    private static func isMissing(_ path: String) -> Bool { access(path, F_OK) != 0 && errno == ENOENT }

    private static func set(_ durability: Durability, _ database: Database) throws {
        switch durability {
        case .full: try database.execute(sql: "PRAGMA synchronous = FULL")
        case .normal: try database.execute(sql: "PRAGMA synchronous = NORMAL")
        }
    }

    private static func busyMode(_ options: Options) -> Database.BusyMode {
        .timeout(Double(options.busyTimeout.wholeMilliseconds) / 1000)
    }

    private static func configuration(_ options: Options) -> Configuration {
        var configuration = Configuration()
        configuration.label = "vestibule"
        configuration.maximumReaderCount = 4
        configuration.busyMode = busyMode(options)
        configuration.prepareDatabase { database in
            guard !database.configuration.readonly else { return }
            // 16 MiB of pages, so that the upper levels of every index stay in memory.
            try database.execute(sql: "PRAGMA cache_size = -16384")
            // The log may grow longer between checkpoints, because each checkpoint costs two more syncs. Its size
            // stays bounded.
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 4000")
            try database.execute(sql: "PRAGMA journal_size_limit = 67108864")
        }
        return configuration
    }
}

extension StoreError {
    /// Translates an error of SQLite for the caller.
    init(_ error: any Error) {
        if let failure = error as? StoreError {
            self = failure
            return
        }
        if let failure = error as? PostgresError {
            self.init(failure)
            return
        }
        guard let fault = error as? DatabaseError else {
            self = .unavailable(cause: "\(error)")
            return
        }
        // The SQL and its arguments are left out: they may contain what must not be logged.
        let cause = "SQLite \(fault.resultCode.rawValue) (\(fault.message ?? "no message"))"
        switch fault.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .corrupt(cause: cause)
        case .SQLITE_CONSTRAINT, .SQLITE_MISMATCH: self = .conflict(cause: cause)
        default: self = .unavailable(cause: cause)
        }
    }
}
