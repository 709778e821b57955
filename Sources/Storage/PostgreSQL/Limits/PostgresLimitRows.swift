import Kernel

/// The table of the uses of limits, for one connection.
///
/// A row has the time up to which a key's requests are paid, or up to which it is marked, in microseconds by the server's
/// clock. Each statement is a transaction of its own (READ COMMITTED): a serializable one on a hot key would be run
/// again and again. The clock is read after the wait for the row's lock, so that a request pays for no wait.
struct PostgresLimitRows {
    private static let now = "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)"
    /// The start of the statement, which an index can be searched for.
    private static let start = "CAST(EXTRACT(EPOCH FROM statement_timestamp()) * 1000000 AS BIGINT)"
    /// The number of rows that are deleted at once.
    static let batch = 1000

    private let rows: SQLConnection

    init(_ connection: PostgresConnection) { rows = SQLConnection(connection) }

    /// Takes one request of the key's budget; returns `nil` if there was one, otherwise how long until there is.
    func take(_ key: UInt64, _ limit: RateLimit) throws -> Duration? {
        let period = limit.period.microseconds
        let isTaken = try rows.change(
            """
            INSERT INTO limit_uses (key, paid_until) VALUES (?1, \(Self.now) + ?2)
            ON CONFLICT (key) DO UPDATE SET paid_until = GREATEST(limit_uses.paid_until, \(Self.now)) + ?2
                WHERE GREATEST(limit_uses.paid_until, \(Self.now)) + ?2 <= \(Self.now) + ?3
            """,
            [key.column, period.column, (limit.period * limit.burst).microseconds.column]
        )
        guard isTaken == 0 else { return nil }
        // At least something, if the key's wait has ended since.
        return limit.wait(paidFor: try paid([key])[key, default: .zero]) ?? .milliseconds(1)
    }

    /// Gives back one request that was taken of the key's budget.
    func giveBack(_ key: UInt64, _ limit: RateLimit) throws {
        try rows.change(
            "UPDATE limit_uses SET paid_until = paid_until - ? WHERE key = ?",
            [limit.period.microseconds.column, key.column]
        )
    }

    /// Marks the key for that time from now, unless it is marked for longer.
    func mark(_ key: UInt64, for time: Duration) throws {
        try rows.change(
            """
            INSERT INTO limit_uses (key, paid_until) VALUES (?, \(Self.now) + ?)
            ON CONFLICT (key) DO UPDATE SET paid_until = GREATEST(limit_uses.paid_until, excluded.paid_until)
            """,
            [key.column, time.microseconds.column]
        )
    }

    /// Returns how long each of the keys is still paid or marked for.
    func paid(_ keys: [UInt64]) throws -> [UInt64: Duration] {
        guard !keys.isEmpty else { return [:] }
        let places = keys.map { _ in "?" }.joined(separator: ", ")
        let found = try rows.all(
            "SELECT key, paid_until - \(Self.now) AS paid FROM limit_uses WHERE key IN (\(places))",
            keys.map(\.column)
        ) { (UInt64(bitPattern: try $0.integer("key")), Duration.microseconds(try $0.integer("paid"))) }
        return Dictionary(found, uniquingKeysWith: max)
    }

    /// Deletes some rows whose time is over, and returns their number.
    ///
    /// A row that another daemon is just using is left.
    func deleteExpired() throws -> Int {
        try rows.change(
            """
            DELETE FROM limit_uses WHERE key = ANY (ARRAY(
                SELECT key FROM limit_uses WHERE paid_until < \(Self.start)
                ORDER BY paid_until LIMIT ? FOR UPDATE SKIP LOCKED
            ))
            """,
            [Self.batch.column]
        )
    }
}

extension UInt64 {
    /// The key as a column has it, whose integers have a sign.
    fileprivate var column: ColumnValue { .integer(Int64(bitPattern: self)) }
}

extension Duration {
    /// Whole microseconds, at least 1, so that every use costs something.
    fileprivate var microseconds: Int64 { Swift.max(1, wholeNanoseconds / 1000) }
}
