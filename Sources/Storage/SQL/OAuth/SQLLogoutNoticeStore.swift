package import Kernel
package import OAuth

/// The queue of logout notices.
///
/// A lease is a token, with the lease's end in `due_at`. When the lease expires, the notice is due again without a
/// write.
package struct SQLLogoutNoticeStore: LogoutNoticeStore {
    package init() {}

    package func insert(_ notices: [LogoutNotice], in transaction: borrowing Transaction) throws {
        let writer = try transaction.connection()
        for notice in notices {
            try writer.change(
                """
                INSERT INTO logout_notices (session, account, client, endpoint, algorithm, created_at, due_at, attempts)
                VALUES (?, ?, ?, ?, ?, ?, ?, 0)
                ON CONFLICT (session) DO NOTHING
                """,
                [
                    notice.session.column, notice.account.column, notice.client.column, notice.endpoint.column,
                    notice.algorithm.column(\.rawValue.column), notice.createdAt.column, notice.createdAt.column,
                ]
            )
        }
    }

    package func claim(
        _ lease: DeliveryLease,
        capacity: DeliveryCapacity,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> [QueuedLogout] {
        let writer = try transaction.connection()
        return try NoticesByClient.claim(
            capacity,
            writer,
            clients: "SELECT client FROM logout_notices WHERE client > ? ORDER BY client LIMIT 1",
            client: \.notice.client,
            precedes: { $0.notice.session.bits < $1.notice.session.bits },
            due: { client, limit in try Self.due(to: client, limit, at: now, writer) }
        ) { found in
            try writer.change(
                "UPDATE logout_notices SET lease = ?, due_at = ? WHERE session = ? AND due_at = ?",
                [lease.token.column, lease.until.column, found.notice.notice.session.column, found.since.column]
            ) == 1
        }
    }

    /// Returns the notices to one client that have been due longest, each with the time since when it is due.
    private static func due(
        to client: String,
        _ limit: Int,
        at now: Instant,
        _ writer: SQLConnection
    ) throws -> [NoticesByClient.Due<QueuedLogout>] {
        try writer.all(
            """
            SELECT \(columns) FROM logout_notices WHERE client = ? AND due_at <= ? ORDER BY due_at, session LIMIT ?
            """,
            [client.column, now.column, limit.column]
        ) { columns in (try columns.instant("due_at"), try read(&columns)) }
    }

    private static func read(_ columns: inout ColumnReader) throws -> QueuedLogout {
        QueuedLogout(
            notice: LogoutNotice(
                session: try columns.id("session"),
                account: try columns.id("account"),
                client: try columns.text("client"),
                endpoint: try columns.text("endpoint"),
                algorithm: try columns.optionalValue("algorithm"),
                createdAt: try columns.instant("created_at")
            ),
            attempts: try columns.count("attempts"),
            failure: try columns.optionalText("failure")
        )
    }

    package func nextDue(in transaction: borrowing Transaction) throws -> Instant? {
        try transaction.connection().first(
            "SELECT due_at FROM logout_notices ORDER BY due_at LIMIT 1",
            []
        ) { try $0.instant("due_at") }
    }

    package func remove(
        _ session: SessionID,
        lease: DeliveryLease,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try transaction.connection().change(
            "DELETE FROM logout_notices WHERE session = ? AND lease = ?",
            [session.column, lease.token.column]
        ) == 1
    }

    package func putOff(
        _ session: SessionID,
        to due: Instant,
        failure: String,
        lease: DeliveryLease,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try transaction.connection().change(
            """
            UPDATE logout_notices SET due_at = ?, attempts = attempts + 1, failure = ?, lease = NULL
            WHERE session = ? AND lease = ?
            """,
            [due.column, failure.column, session.column, lease.token.column]
        ) == 1
    }

    package func state(upTo bound: Int, in transaction: borrowing Transaction) throws -> NoticeQueueState {
        let reader = try transaction.connection()
        let count = try reader.first(Self.waitingCount, [bound.column]) { try $0.count("count") }
        let oldest = try reader.first(Self.oldestWaiting, []) { try $0.instant("created_at") }
        return NoticeQueueState(waiting: count ?? 0, oldest: oldest)
    }

    /// The index of the notices that are due answers it.
    static let waitingCount = """
        SELECT COUNT(*) AS count FROM (SELECT due_at FROM logout_notices LIMIT ?) AS waiting
        """
    static let oldestWaiting = "SELECT created_at FROM logout_notices ORDER BY created_at LIMIT 1"

    package func state(of client: String, in transaction: borrowing Transaction) throws -> NoticeQueueState {
        let reader = try transaction.connection()
        let failure = try reader.first(
            """
            SELECT failure FROM logout_notices WHERE client = ? AND failure IS NOT NULL
            ORDER BY created_at DESC, session LIMIT 1
            """,
            [client.column]
        ) { try $0.text("failure") }
        return try reader.first(
            "SELECT COUNT(*) AS count, MIN(created_at) AS oldest FROM logout_notices WHERE client = ?",
            [client.column]
        ) { columns in
            NoticeQueueState(
                waiting: try columns.count("count"),
                oldest: try columns.optionalInstant("oldest"),
                failure: failure
            )
        } ?? NoticeQueueState(waiting: 0, oldest: nil)
    }

    package func waiting(
        for client: String?,
        after position: NoticePosition?,
        limit: Int,
        in transaction: borrowing Transaction
    ) throws -> [WaitingNotice] {
        try Self.queue.waiting(for: client, after: position, limit: limit, in: transaction) { columns in
            let dueAt = try columns.instant("due_at")
            return WaitingNotice(try Self.read(&columns), dueAt: dueAt)
        }
    }

    package func expedite(at now: Instant, in transaction: borrowing Transaction) throws -> Int {
        try Self.queue.expedite(at: now, in: transaction)
    }

    static let queue = NoticeQueueTable(
        name: "logout_notices",
        columns: columns,
        due: "due_at",
        lease: "lease",
        subject: ("session", SessionID.kind)
    )

    private static let columns = "session, account, client, endpoint, algorithm, created_at, due_at, attempts, failure"
}
