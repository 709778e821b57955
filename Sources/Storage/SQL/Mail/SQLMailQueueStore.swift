package import Kernel
package import Mail

/// The mail queue.
///
/// A lease is a token, with the lease's end in `due_at`. When the lease expires, the mail is due again without a
/// write.
package struct SQLMailQueueStore: MailQueueStore {
    private let database: any SQLDatabase

    package init(_ database: any SQLDatabase) { self.database = database }

    package func insert(_ mail: QueuedMail, in transaction: borrowing Transaction) throws {
        try transaction.connection().change(
            """
            INSERT INTO mail_queue (\(QueuedMailColumns.selected))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                mail.id.column, mail.kind.rawValue.column, mail.state.rawValue.column,
                mail.contents.encryptionKey.column, .bytes(mail.contents.recipient),
                mail.contents.message.column { .bytes($0) }, mail.createdAt.column, mail.expiresAt.column,
                mail.tries.dueAt.column, mail.tries.attempts.column, mail.tries.failure.column(\.rawValue.column),
                mail.tries.reply.column(\.column), mail.endedAt.column(\.column),
            ]
        )
    }

    package func counts(in transaction: borrowing Transaction) throws -> [QueuedMail.State: Int] {
        let counts = try transaction.connection().all(
            "SELECT state, COUNT(*) AS count FROM mail_queue GROUP BY state"
        ) { (try $0.value("state", QueuedMail.State.self), try $0.count("count")) }
        return Dictionary(counts) { first, _ in first }
    }

    package func queued(upTo bound: Int, in transaction: borrowing Transaction) throws -> Int {
        try transaction.connection().first(Self.queuedCount, [bound.column]) { try $0.count("count") } ?? 0
    }

    package func oldest(in transaction: borrowing Transaction) throws -> Instant? {
        try transaction.connection().first(Self.oldestQueued, []) { try $0.instant("created_at") }
    }

    /// The index of the queued mails by age answers it.
    static let queuedCount = """
        SELECT COUNT(*) AS count FROM (SELECT created_at FROM mail_queue WHERE state = 'queued' LIMIT ?) AS queued
        """
    static let oldestQueued = "SELECT created_at FROM mail_queue WHERE state = 'queued' ORDER BY created_at LIMIT 1"

    package func claim(
        _ lease: DeliveryLease,
        limit: Int,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> [QueuedMail] {
        let writer = try transaction.connection()
        let mails = try writer.rows(
            QueuedMailColumns.self,
            where: "state = 'queued' AND due_at <= ? ORDER BY due_at, id LIMIT ?",
            [now.column, limit.column]
        )
        return try mails.filter { mail in
            // Another daemon may have claimed it since the read: a claim changes the due time.
            try writer.change(
                "UPDATE mail_queue SET lease = ?, due_at = ? WHERE id = ? AND state = 'queued' AND due_at = ?",
                [lease.token.column, lease.until.column, mail.id.column, mail.tries.dueAt.column]
            ) == 1
        }
    }

    package func nextDue(in transaction: borrowing Transaction) throws -> Instant? {
        try transaction.connection().first(
            "SELECT due_at FROM mail_queue WHERE state = 'queued' ORDER BY due_at LIMIT 1",
            []
        ) { try $0.instant("due_at") }
    }

    package func remove(_ id: MailID, lease: DeliveryLease, in transaction: borrowing Transaction) throws -> Bool {
        try transaction.connection().change(
            "DELETE FROM mail_queue WHERE id = ? AND lease = ?",
            [id.column, lease.token.column]
        ) == 1
    }

    package func putOff(
        _ id: MailID,
        to due: Instant,
        failure: MailTransportError.Kind,
        reply: Int?,
        lease: DeliveryLease,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try transaction.connection().change(
            """
            UPDATE mail_queue SET due_at = ?, attempts = attempts + 1, failure = ?, reply = ?, lease = NULL
            WHERE id = ? AND lease = ?
            """,
            [due.column, failure.rawValue.column, reply.column(\.column), id.column, lease.token.column]
        ) == 1
    }

    package func bounce(
        _ id: MailID,
        at now: Instant,
        failure: MailTransportError.Kind,
        reply: Int?,
        lease: DeliveryLease,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try transaction.connection().change(
            """
            UPDATE mail_queue SET state = 'bounced', message = NULL, attempts = attempts + 1, failure = ?, reply = ?,
                lease = NULL, ended_at = ?
            WHERE id = ? AND lease = ?
            """,
            [failure.rawValue.column, reply.column(\.column), now.column, id.column, lease.token.column]
        ) == 1
    }

    package func expedite(at now: Instant, in transaction: borrowing Transaction) throws -> Int {
        try transaction.connection().change(
            """
            UPDATE mail_queue SET due_at = CASE WHEN due_at < ?1 THEN due_at ELSE ?1 END
            WHERE state = 'queued' AND lease IS NULL
            """,
            [now.column]
        )
    }

    package func find(_ id: MailID) async throws -> QueuedMail? {
        try await database.read { reader in try reader.row(QueuedMailColumns.self, where: "id = ?", [id.column]) }
    }

    package func list(_ states: Set<QueuedMail.State>, limit: Int) async throws -> [QueuedMail] {
        let names = states.map(\.rawValue).sorted()
        return try await database.read { reader in
            try reader.rows(
                QueuedMailColumns.self,
                where: "state IN (?, ?) ORDER BY created_at DESC, id DESC LIMIT ?",
                [(names.first ?? "").column, (names.last ?? "").column, limit.column]
            )
        }
    }
}

/// The columns of a mail, in the order of their values, without its lease.
private enum QueuedMailColumns: RowColumns {
    static let table: StaticString = "mail_queue"
    static let selected = """
        id, kind, state, sealing_key, recipient, message, created_at, expires_at, due_at, attempts, failure, reply, ended_at
        """

    static func read(_ columns: inout ColumnReader) throws -> QueuedMail {
        QueuedMail(
            id: try columns.id("id"),
            kind: try columns.value("kind"),
            state: try columns.value("state"),
            contents: QueuedMail.Contents(
                encryptionKey: try columns.text("sealing_key"),
                recipient: try columns.bytes("recipient"),
                message: try columns.optionalBytes("message")
            ),
            createdAt: try columns.instant("created_at"),
            expiresAt: try columns.instant("expires_at"),
            tries: QueuedMail.Tries(
                dueAt: try columns.instant("due_at"),
                attempts: try columns.count("attempts"),
                failure: try columns.optionalValue("failure"),
                reply: try columns.optionalInteger("reply").map { Int($0) }
            ),
            endedAt: try columns.optionalInstant("ended_at")
        )
    }
}
