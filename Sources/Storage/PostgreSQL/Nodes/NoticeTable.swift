import Kernel

/// Batches as rows of a table, which each daemon asks for news, for servers without LISTEN.
///
/// A row is read however late it is committed, because no order over the rows of all senders is relied on. Each sender
/// numbers its own rows, and inserts one only after it was told of the commit of the one before. So what is new is, for
/// each sender, what follows its last row that was read. A sender that was not told goes on with the next number, whose
/// receivers notice the gap (``FeedSenders``), and read again what the late row would have told them of.
///
/// Each statement is a transaction of its own, and leaves no setting behind on the server.
final class NoticeTable: FeedTransport {
    /// The time between two questions.
    static let pause: Duration = .milliseconds(150)
    /// The time after which a row is deleted: far longer than a daemon takes to read it, or to tell a gap.
    private static let memory: Duration = .seconds(60)
    /// A time before which there were no rows.
    private static let ever: Duration = .seconds(1 << 40)
    /// The time between two deletions.
    private static let sweepPause: Duration = .seconds(10)
    /// The most rows that are deleted at once.
    private static let sweepSize = 5000
    /// The most rows of a sender in one answer.
    private static let page = 200
    /// The start of the statement, which an index can be searched for.
    private static let now = "CAST(EXTRACT(EPOCH FROM statement_timestamp()) * 1000 AS BIGINT)"
    /// The senders, by one look at the index for each.
    ///
    /// From the last to the first: the look finds a sender's newest row. Its oldest ones were deleted, and stay in the way
    /// for as long as an old transaction, such as that of a backup, could see them.
    private static let senders = """
        WITH RECURSIVE senders (sender) AS (
            SELECT (SELECT MAX(sender) FROM notices)
            UNION ALL
            SELECT (SELECT MAX(notices.sender) FROM notices WHERE notices.sender < senders.sender)
            FROM senders WHERE senders.sender IS NOT NULL
        )
        """

    private let rows: SQLConnection
    private let clock: any MonotonicClock
    /// The number of the last row of each sender that was read, as far as it has rows.
    private var lastRead: [String: Int64] = [:]
    private var askedAt: Uptime?
    private var sweptAt: Uptime?
    /// Whether the last deletion has left nothing that was old by then.
    private var hasSwept = false
    /// Whether the last answer may have left rows out.
    private var hasMore = false

    init(_ connection: PostgresConnection, clock: any MonotonicClock) {
        rows = SQLConnection(connection)
        self.clock = clock
    }

    func begin() throws {
        let found = try rows.all(
            """
            \(Self.senders)
            SELECT sender, (SELECT MAX(number) FROM notices WHERE notices.sender = senders.sender) AS number
            FROM senders WHERE sender IS NOT NULL
            """
        ) { row in (sender: try row.text("sender"), number: try row.integer("number")) }
        lastRead = Dictionary(found.filter { UUIDBits($0.sender) != nil }.map { ($0.sender, $0.number) }) { $1 }
    }

    /// Inserts a row, without a wait for the disk: a crash of the server that loses it ends every connection, and that is
    /// a gap.
    func send(_ batch: FeedBatch) throws {
        try rows.change(
            """
            WITH quick AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
            INSERT INTO notices (sender, number, batch, sent_at)
            SELECT CAST(? AS TEXT), CAST(? AS BIGINT), CAST(? AS TEXT), \(Self.now) FROM quick
            """,
            [batch.sender.column, batch.number.column, batch.text.column]
        )
    }

    func receive(until wake: WakeUp, within limit: Duration) throws -> [String] {
        if let askedAt, !hasMore {
            let due = askedAt + Self.pause
            _ = wake.wait(for: nil, within: max(.zero, min(limit, due - clock.now)))
            guard clock.now >= due else { return [] }
        }
        askedAt = clock.now
        try sweep()
        return try news()
    }

    /// Returns what was committed since the last question, of each sender in the order of its numbers.
    private func news() throws -> [String] {
        let found = try rows.all(
            """
            \(Self.senders)
            SELECT senders.sender, news.number, news.batch
            FROM senders
            LEFT JOIN (
                SELECT split_part(entry, ' ', 1) AS sender, CAST(NULLIF(split_part(entry, ' ', 2), '') AS BIGINT) AS number
                FROM regexp_split_to_table(CAST(? AS TEXT), ',') AS entries (entry)
            ) AS past ON past.sender = senders.sender
            LEFT JOIN LATERAL (
                SELECT number, batch FROM notices
                WHERE notices.sender = senders.sender AND notices.number > COALESCE(past.number, 0)
                ORDER BY number LIMIT ?
            ) AS news ON TRUE
            WHERE senders.sender IS NOT NULL
            ORDER BY senders.sender, news.number
            """,
            [lastRead.map { "\($0) \($1)" }.joined(separator: ",").column, Self.page.column]
        ) { row in
            (
                sender: try row.text("sender"), number: try row.optionalInteger("number"),
                batch: try row.optionalText("batch")
            )
        }
        // Anybody who can write may make up senders, and their names are in the next question.
        let known = found.filter { UUIDBits($0.sender) != nil }
        lastRead = Dictionary(known.map { ($0.sender, $0.number ?? lastRead[$0.sender] ?? 0) }) { $1 }
        let batches = known.compactMap(\.batch)
        hasMore = batches.count >= Self.page
        return batches
    }

    /// Deletes old rows, unless that was done lately.
    ///
    /// What another daemon is deleting is left to it. What was deleted before is not looked at again, because it stays in
    /// the index for a while.
    private func sweep() throws {
        let now = clock.now
        if let sweptAt, now - sweptAt < Self.sweepPause { return }
        defer { sweptAt = now }
        // Rows that are committed late come later into the range.
        let oldest: Duration
        if hasSwept, let sweptAt { oldest = Self.memory * 2 + (now - sweptAt) } else { oldest = Self.ever }
        let deleted = try rows.change(
            """
            DELETE FROM notices WHERE (sender, number) IN (
                SELECT sender, number FROM notices
                WHERE sent_at < \(Self.now) - CAST(? AS BIGINT) AND sent_at >= \(Self.now) - CAST(? AS BIGINT)
                ORDER BY sent_at LIMIT ? FOR UPDATE SKIP LOCKED
            )
            """,
            [Self.memory.wholeMilliseconds.column, oldest.wholeMilliseconds.column, Self.sweepSize.column]
        )
        hasSwept = deleted < Self.sweepSize
    }
}
