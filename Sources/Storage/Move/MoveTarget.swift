import Kernel

/// The PostgreSQL database that rows are moved to, and the one transaction that writes all of them.
///
/// It is used by one task, one call after the other.
struct MoveTarget {
    /// The longest wait for a page, a count or a lock of the server, and for the commit.
    private static let deadline = Duration.seconds(60)
    private static let commitLimit = Duration.seconds(3600)
    /// A large table tells its progress each time that so many rows were copied.
    private static let reported = 100_000
    /// More rows than these are not counted where there should be none.
    private static let mostCounted = 1000

    let name: String
    let connection: PostgresConnection

    private var sql: SQLConnection { SQLConnection(connection) }

    /// Connects to a database whose schema was migrated.
    init(_ options: PostgresOptions, clock: any MonotonicClock) throws(PostgresOpenError) {
        var patient = options
        patient.deadline = max(options.deadline, Self.deadline)
        (name, connection) = try PostgresOpening(options: patient, clock: clock).connect()
    }

    /// Begins the transaction, in which no other one can write the tables.
    ///
    /// - Throws: ``StorageMoveError`` for a database that holds rows.
    func begin(_ tables: [MovedTable], keyMark: Digest256?) throws {
        // Between two pages SQLite is read, which may take long, and the transaction is idle meanwhile. The pages follow
        // the index of the key: a table without statistics would be sorted again for each.
        try connection.script(
            """
            SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '10s';
            SET enable_bitmapscan = off; SET enable_sort = off;
            """,
            within: Self.deadline
        )
        connection.begin(.migration)
        let names = tables.map(\.quoted).joined(separator: ", ")
        try connection.script("LOCK TABLE \(names) IN SHARE ROW EXCLUSIVE MODE", within: Self.deadline)
        try refuseRows(tables, keyMark: keyMark)
    }

    /// Copies a table, and returns what was read of it in SQLite.
    func copy(
        _ table: MovedTable,
        from source: MoveSource,
        count: Int,
        _ report: (MoveProgress) -> Void
    ) throws -> TableContent {
        var content = ContentDigest()
        var copied = 0
        try source.rows { reader in
            try MovedRows(table: table, connection: reader).visit { rows in
                for row in rows { content.take(row.values) }
                try insert(rows, into: table)
                let before = copied / Self.reported
                copied += rows.count
                if copied / Self.reported > before, copied < count {
                    report(.copying(table: table.name, rows: copied, all: count))
                }
            }
        }
        if table.isNumbered { try advance(table) }
        return content.finished()
    }

    func content(of table: MovedTable) throws -> TableContent {
        try MovedRows(table: table, connection: sql).content()
    }

    func keyMark() throws -> Digest256? {
        try sql.first("SELECT mark FROM key_mark") { try $0.digest("mark") }
    }

    /// Commits, and lets the server count the new rows, without which it plans for small tables.
    func commit(_ tables: [MovedTable]) throws {
        try connection.commit(within: Self.commitLimit)
        // Otherwise the server does it by itself, a while later.
        try? connection.script("ANALYZE \(tables.map(\.quoted).joined(separator: ", "))", within: Self.commitLimit)
    }

    /// Ends the connection, and with it a transaction that was not committed.
    func close() {
        connection.rollback()
        connection.close()
    }

    /// Translates an error of the transaction.
    func error(_ error: any Error) -> any Error {
        switch error {
        case PostgresError.server(state: "42501", _), PostgresError.server(state: "55P03", _):
            PostgresOpenError(database: name, reason: PostgresOpening.reason(error))
        case PostgresError.uncertain(let cause): StorageMoveError.uncertain(name, cause: cause)
        case let error as PostgresError: StorageMoveError.lost(name, cause: StoreError(error).cause)
        case StoreError.corrupt(let cause): StorageMoveError.unreadable(name, cause: cause)
        case let error as StoreError: StorageMoveError.lost(name, cause: error.cause)
        default: error
        }
    }

    private func refuseRows(_ tables: [MovedTable], keyMark: Digest256?) throws {
        let found = try tables.compactMap { table -> String? in
            let count = try sql.count(
                "SELECT COUNT(*) AS count FROM (SELECT 1 FROM \(table.quoted) LIMIT ?) AS found",
                [Self.mostCounted.column]
            )
            guard count > 0 else { return nil }
            return count < Self.mostCounted ? "\(table.name) \(count)" : "\(table.name) \(count) or more"
        }
        guard !found.isEmpty else { return }
        if let keyMark, let mark = try self.keyMark(), mark != keyMark { throw StorageMoveError.otherKeys(name) }
        throw StorageMoveError.notEmpty(name, found)
    }

    private func insert(_ rows: [MovedRow], into table: MovedTable) throws {
        do throws(PostgresError) { try connection.run(table.insert, each: rows.map(\.values)) } catch {
            switch error {
            // Constraints, values that the server does not take, and those that are too long for an index.
            case .server(let state, _) where ["22", "23", "54"].contains(state.prefix(2)):
                throw StorageMoveError.refused(name, table.name, cause: StoreError(error).cause)
            case .refused(let cause): throw StorageMoveError.refused(name, table.name, cause: cause)
            case .server, .lost, .silent, .uncertain: throw error
            }
        }
    }

    /// Lets the database assign numbers above those of all rows.
    ///
    /// A rollback doesn't undo this, which harms nothing: numbers may have gaps.
    private func advance(_ table: MovedTable) throws {
        _ = try sql.exists(
            """
            SELECT setval(CAST(pg_get_serial_sequence(?, 'number') AS REGCLASS), largest)
            FROM (SELECT MAX(number) AS largest FROM \(table.quoted)) AS numbers WHERE largest >= 1
            """,
            [table.quoted.column]
        )
    }
}

/// The database in the transaction of the move, whose rows only this sees.
///
/// Unchecked, because the move waits for each read.
struct MoveTargetReader: SQLDatabase, @unchecked Sendable {
    private let connection: PostgresConnection

    init(_ target: MoveTarget) { connection = target.connection }

    func read<T: Sendable>(_ body: @escaping @Sendable (SQLConnection) throws -> T) async throws -> T {
        try body(SQLConnection(connection))
    }

    func reading<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T {
        try body(Transaction(context: SQLConnection(connection)))
    }
}
