package import Kernel
package import OAuth

/// The store of backchannel requests and their notifications.
package struct SQLBackchannelStore: BackchannelStore {
    private let database: any SQLDatabase

    package init(_ database: any SQLDatabase) { self.database = database }

    package func insert(_ record: BackchannelRecord, in transaction: borrowing Transaction) throws {
        try transaction.connection().change(
            """
            INSERT INTO backchannel_requests (\(Self.columns))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [record.id.column, record.operation.column] + record.access.columns + [
                record.delivery.rawValue.column, record.interval.wholeMilliseconds.column,
                (record.callback?.endpoint).column(\.column),
                (record.callback?.encryptionKey).column(\.column), (record.callback?.encrypted).column { .bytes($0) },
                record.createdAt.column, record.keptUntil.column,
            ]
        )
    }

    package func following(
        _ id: Digest256?,
        keptAfter instant: Instant,
        limit: Int
    ) async throws -> [BackchannelRecord] {
        try await database.read { reader in
            try reader.all(
                """
                SELECT \(Self.columns) FROM backchannel_requests
                WHERE id > ? AND kept_until > ? ORDER BY id LIMIT ?
                """,
                [id?.column ?? .bytes([]), instant.column, limit.column],
                read: Self.read
            )
        }
    }

    package func find(_ id: Digest256) async throws -> BackchannelRecord? {
        try await database.read { reader in
            try reader.first(
                "SELECT \(Self.columns) FROM backchannel_requests WHERE id = ?",
                [id.column],
                read: Self.read
            )
        }
    }

    package func find(operation: OperationRowID, in transaction: borrowing Transaction) throws -> BackchannelRecord? {
        try transaction.connection().first(
            "SELECT \(Self.columns) FROM backchannel_requests WHERE operation = ?",
            [operation.column],
            read: Self.read
        )
    }

    package func enqueue(
        _ id: Digest256,
        at now: Instant,
        expiresAt: Instant,
        in transaction: borrowing Transaction
    ) throws {
        try transaction.connection().change(
            """
            UPDATE backchannel_requests SET notice_due_at = ?, notice_expires_at = ?
            WHERE id = ? AND sealed IS NOT NULL AND notice_due_at IS NULL
            """,
            [now.column, expiresAt.column, id.column]
        )
    }

    package func claim(
        _ lease: DeliveryLease,
        capacity: DeliveryCapacity,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> [QueuedNotice] {
        let writer = try transaction.connection()
        return try NoticesByClient.claim(
            capacity,
            writer,
            clients: """
                SELECT client FROM backchannel_requests WHERE notice_due_at IS NOT NULL AND client > ?
                ORDER BY client LIMIT 1
                """,
            client: \.request.access.clientID,
            precedes: { $0.request.operation.bits < $1.request.operation.bits },
            due: { client, limit in try Self.due(to: client, limit, at: now, writer) }
        ) { found in
            try writer.change(
                "UPDATE backchannel_requests SET notice_lease = ?, notice_due_at = ? WHERE id = ? AND notice_due_at = ?",
                [lease.token.column, lease.until.column, found.notice.request.id.column, found.since.column]
            ) == 1
        }
    }

    /// Returns the notices to one client that have been due longest, each with the time since when it is due.
    private static func due(
        to client: String,
        _ limit: Int,
        at now: Instant,
        _ writer: SQLConnection
    ) throws -> [NoticesByClient.Due<QueuedNotice>] {
        try writer.all(
            """
            SELECT \(columns), notice_attempts, notice_expires_at, notice_due_at FROM backchannel_requests
            WHERE client = ? AND notice_due_at IS NOT NULL AND notice_due_at <= ? ORDER BY notice_due_at, operation LIMIT ?
            """,
            [client.column, now.column, limit.column]
        ) { columns in
            let notice = QueuedNotice(
                request: try read(&columns),
                attempts: try columns.count("notice_attempts"),
                expiresAt: try columns.instant("notice_expires_at")
            )
            return (try columns.instant("notice_due_at"), notice)
        }
    }

    package func nextDue(in transaction: borrowing Transaction) throws -> Instant? {
        try transaction.connection().first(
            """
            SELECT notice_due_at FROM backchannel_requests WHERE notice_due_at IS NOT NULL
            ORDER BY notice_due_at LIMIT 1
            """,
            []
        ) { try $0.instant("notice_due_at") }
    }

    package func finish(_ id: Digest256, lease: DeliveryLease, in transaction: borrowing Transaction) throws -> Bool {
        try transaction.connection().change(
            """
            UPDATE backchannel_requests SET notice_due_at = NULL, notice_expires_at = NULL, notice_lease = NULL,
                endpoint = NULL, sealing_key = NULL, sealed = NULL
            WHERE id = ? AND notice_lease = ?
            """,
            [id.column, lease.token.column]
        ) == 1
    }

    package func putOff(
        _ id: Digest256,
        to due: Instant,
        lease: DeliveryLease,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try transaction.connection().change(
            """
            UPDATE backchannel_requests SET notice_due_at = ?, notice_attempts = notice_attempts + 1, notice_lease = NULL
            WHERE id = ? AND notice_lease = ?
            """,
            [due.column, id.column, lease.token.column]
        ) == 1
    }

    package func waiting(
        for client: String?,
        after position: NoticePosition?,
        limit: Int,
        in transaction: borrowing Transaction
    ) throws -> [WaitingNotice] {
        try Self.queue.waiting(for: client, after: position, limit: limit, in: transaction) { columns in
            WaitingNotice(
                about: try columns.id("operation"),
                to: try columns.text("client"),
                by: try columns.value("delivery"),
                expiresAt: try columns.instant("notice_expires_at"),
                dueAt: try columns.instant("notice_due_at"),
                attempts: try columns.count("notice_attempts")
            )
        }
    }

    package func state(upTo bound: Int, in transaction: borrowing Transaction) throws -> NoticeQueueState {
        let reader = try transaction.connection()
        let count = try reader.first(Self.waitingCount, [bound.column]) { try $0.count("count") }
        let oldest = try OAuthClient.Backchannel.Delivery.allCases.compactMap { delivery in
            try reader.first(Self.oldestWaiting, [delivery.rawValue.column]) { columns in
                try columns.instant("notice_expires_at") - BackchannelPolicy.collectionWindow(delivery)
            }
        }
        return NoticeQueueState(waiting: count ?? 0, oldest: oldest.min())
    }

    /// The index of the notices that are due answers it.
    static let waitingCount = """
        SELECT COUNT(*) AS count
        FROM (SELECT notice_due_at FROM backchannel_requests WHERE notice_due_at IS NOT NULL LIMIT ?) AS waiting
        """
    static let oldestWaiting = """
        SELECT notice_expires_at FROM backchannel_requests
        WHERE delivery = ? AND notice_due_at IS NOT NULL ORDER BY notice_expires_at LIMIT 1
        """

    package func expedite(at now: Instant, in transaction: borrowing Transaction) throws -> Int {
        try Self.queue.expedite(at: now, in: transaction)
    }

    static let queue = NoticeQueueTable(
        name: "backchannel_requests",
        columns: "operation, client, delivery, notice_expires_at, notice_due_at, notice_attempts",
        due: "notice_due_at",
        lease: "notice_lease",
        subject: ("operation", OperationRowID.kind)
    )

    private static let columns = """
        id, operation, client, scopes, resources, delivery, interval_ms, endpoint, sealing_key, sealed, created_at,
        kept_until
        """

    private static func read(_ columns: inout ColumnReader) throws -> BackchannelRecord {
        BackchannelRecord(
            id: try columns.digest("id"),
            operation: try columns.id("operation"),
            access: try RequestedAccess(&columns),
            delivery: try columns.value("delivery"),
            interval: .milliseconds(try columns.integer("interval_ms")),
            callback: try callback(&columns),
            createdAt: try columns.instant("created_at"),
            keptUntil: try columns.instant("kept_until")
        )
    }

    private static func callback(_ columns: inout ColumnReader) throws -> BackchannelRecord.Callback? {
        guard let endpoint = try columns.optionalText("endpoint") else { return nil }
        return BackchannelRecord.Callback(
            endpoint: endpoint,
            encryptionKey: try columns.text("sealing_key"),
            encrypted: try columns.bytes("sealed")
        )
    }
}
