import GRDB
package import Kernel
package import OAuth

/// Backchannel requests and the notices about them in SQLite.
package struct SQLiteBackchannelStore: BackchannelStore {
    private let database: SQLiteDatabase

    package init(_ database: SQLiteDatabase) { self.database = database }

    package func insert(_ record: BackchannelRecord, in transaction: borrowing Transaction) throws {
        try transaction.database().change(
            """
            INSERT INTO backchannel_requests (
                id, operation, client, delivery, scopes, resources, interval_ms, endpoint, sealing_key, sealed, created_at,
                kept_until
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                record.id.column, record.operation.column, record.clientID.column, record.delivery.rawValue.column,
                // A URI has no space (RFC 3986 §2).
                record.scopes.text.column, record.resources.joined(separator: " ").column,
                record.interval.wholeMilliseconds.column, (record.callback?.endpoint).column(\.column),
                (record.callback?.sealingKey).column(\.column), (record.callback?.sealed).column { .bytes($0) },
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
                SELECT \(Self.columns) FROM backchannel_requests WHERE id > ? AND kept_until > ? ORDER BY id LIMIT ?
                """,
                [(id ?? .zero).column, instant.column, limit.column],
                Self.read
            )
        }
    }

    package func enqueue(
        _ id: Digest256,
        at now: Instant,
        expiresAt: Instant,
        in transaction: borrowing Transaction
    ) throws {
        try transaction.database().change(
            """
            UPDATE backchannel_requests SET notice_due_at = ?, notice_expires_at = ?
            WHERE id = ? AND sealed IS NOT NULL AND notice_due_at IS NULL
            """,
            [now.column, expiresAt.column, id.column]
        )
    }

    package func claim(
        _ lease: NoticeLease,
        limit: Int,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> [QueuedNotice] {
        let writer = try transaction.database()
        let notices = try writer.all(
            """
            SELECT \(Self.columns), notice_attempts, notice_expires_at FROM backchannel_requests
            WHERE notice_due_at IS NOT NULL AND notice_due_at <= ? ORDER BY notice_due_at, id LIMIT ?
            """,
            [now.column, limit.column]
        ) { columns in
            QueuedNotice(
                request: try Self.read(&columns),
                attempts: Int(try columns.integer()),
                expiresAt: try columns.instant()
            )
        }
        for notice in notices {
            try writer.change(
                "UPDATE backchannel_requests SET notice_lease = ?, notice_due_at = ? WHERE id = ?",
                [lease.token.column, lease.until.column, notice.request.id.column]
            )
        }
        return notices
    }

    package func nextDue(in transaction: borrowing Transaction) throws -> Instant? {
        try transaction.database().first(
            """
            SELECT notice_due_at FROM backchannel_requests WHERE notice_due_at IS NOT NULL
            ORDER BY notice_due_at LIMIT 1
            """,
            []
        ) { try $0.instant() }
    }

    package func finish(_ id: Digest256, lease: NoticeLease, in transaction: borrowing Transaction) throws -> Bool {
        try transaction.database().change(
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
        lease: NoticeLease,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try transaction.database().change(
            """
            UPDATE backchannel_requests SET notice_due_at = ?, notice_attempts = notice_attempts + 1, notice_lease = NULL
            WHERE id = ? AND notice_lease = ?
            """,
            [due.column, id.column, lease.token.column]
        ) == 1
    }

    package func purge(keptBefore instant: Instant, limit: Int, in transaction: borrowing Transaction) throws -> Int {
        try transaction.database().change(
            """
            DELETE FROM backchannel_requests WHERE id IN (
                SELECT id FROM backchannel_requests WHERE kept_until < ? ORDER BY kept_until LIMIT ?
            )
            """,
            [instant.column, limit.column]
        )
    }

    private static let columns = """
        id, operation, client, delivery, scopes, resources, interval_ms, endpoint, sealing_key, sealed, created_at,
        kept_until
        """

    private static func read(_ columns: inout ColumnReader) throws -> BackchannelRecord {
        let (id, operation) = (try columns.digest(), try columns.id(OperationRowID.self))
        let (client, delivery) = (try columns.text(), try columns.value(OAuthClient.Backchannel.Delivery.self))
        let scopes = ScopeSet(Set(try columns.text().split(separator: " ").map(String.init)))
        let resources = try columns.text().split(separator: " ").map(String.init)
        let interval = Duration.milliseconds(try columns.integer())
        return BackchannelRecord(
            id: id,
            operation: operation,
            clientID: client,
            delivery: delivery,
            scopes: scopes,
            resources: resources,
            interval: interval,
            callback: try callback(&columns),
            createdAt: try columns.instant(),
            keptUntil: try columns.instant()
        )
    }

    private static func callback(_ columns: inout ColumnReader) throws -> BackchannelRecord.Callback? {
        guard let endpoint = columns.optionalText() else {
            columns.skip(2)
            return nil
        }
        let key = try columns.text()
        return BackchannelRecord.Callback(endpoint: endpoint, sealingKey: key, sealed: try columns.bytes())
    }
}
