import GRDB
package import Kernel
package import Mail

/// The mail queue in SQLite.
///
/// A lease is a token beside a `due_at` that lies at its end: when it runs out, the mail is due again by itself.
package struct SQLiteMailQueueStore: MailQueueStore {
    private let database: SQLiteDatabase

    package init(_ database: SQLiteDatabase) { self.database = database }

    package func insert(_ mail: QueuedMail, in transaction: borrowing Transaction) throws {
        try transaction.database().change(
            """
            INSERT INTO mail_queue (
                id, kind, state, sealing_key, recipient, message, created_at, expires_at, due_at, attempts, failure,
                reply, ended_at
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                mail.id.column, mail.kind.rawValue.column, mail.state.rawValue.column, mail.sealingKey.column,
                .bytes(mail.recipient), mail.message.column { .bytes($0) }, mail.createdAt.column,
                mail.expiresAt.column, mail.dueAt.column, mail.attempts.column,
                mail.failure.column(\.rawValue.column), mail.reply.column(\.column), mail.endedAt.column(\.column),
            ]
        )
    }

    package func counts(in transaction: borrowing Transaction) throws -> [QueuedMail.State: Int] {
        let rows = try transaction.database().rows("SELECT state, COUNT(*) AS count FROM mail_queue GROUP BY state")
        var counts: [QueuedMail.State: Int] = [:]
        for row in rows { counts[try row.value("state")] = Int(try row.integer("count")) }
        return counts
    }

    package func claim(
        _ lease: MailLease,
        limit: Int,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> [QueuedMail] {
        let writer = try transaction.database()
        let mails = try writer.rows(
            """
            SELECT id, kind, state, sealing_key, recipient, message, created_at, expires_at, due_at, attempts, failure,
                reply, ended_at
            FROM mail_queue WHERE state = 'queued' AND due_at <= ? ORDER BY due_at, id LIMIT ?
            """,
            [now.column, limit.column]
        ).map(QueuedMail.init)
        for mail in mails {
            try writer.change(
                "UPDATE mail_queue SET lease = ?, due_at = ? WHERE id = ?",
                [lease.token.column, lease.until.column, mail.id.column]
            )
        }
        return mails
    }

    package func nextDue(in transaction: borrowing Transaction) throws -> Instant? {
        try transaction.database().first(
            "SELECT due_at FROM mail_queue WHERE state = 'queued' ORDER BY due_at LIMIT 1",
            []
        ) { try $0.instant() }
    }

    package func remove(_ id: MailID, lease: MailLease, in transaction: borrowing Transaction) throws -> Bool {
        try transaction.database().change(
            "DELETE FROM mail_queue WHERE id = ? AND lease = ?",
            [id.column, lease.token.column]
        ) == 1
    }

    package func putOff(
        _ id: MailID,
        to due: Instant,
        failure: MailFailure.Kind,
        reply: Int?,
        lease: MailLease,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try transaction.database().change(
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
        failure: MailFailure.Kind,
        reply: Int?,
        lease: MailLease,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try transaction.database().change(
            """
            UPDATE mail_queue SET state = 'bounced', message = NULL, attempts = attempts + 1, failure = ?, reply = ?,
                lease = NULL, ended_at = ?
            WHERE id = ? AND lease = ?
            """,
            [failure.rawValue.column, reply.column(\.column), now.column, id.column, lease.token.column]
        ) == 1
    }

    package func hasten(at now: Instant, in transaction: borrowing Transaction) throws -> Int {
        try transaction.database().change(
            "UPDATE mail_queue SET due_at = MIN(due_at, ?) WHERE state = 'queued' AND lease IS NULL",
            [now.column]
        )
    }

    package func find(_ id: MailID) async throws -> QueuedMail? {
        try await database.read { reader in
            try reader.row(
                """
                SELECT id, kind, state, sealing_key, recipient, message, created_at, expires_at, due_at, attempts,
                    failure, reply, ended_at
                FROM mail_queue WHERE id = ?
                """,
                [id.column]
            ).map(QueuedMail.init)
        }
    }

    package func list(_ states: Set<QueuedMail.State>, limit: Int) async throws -> [QueuedMail] {
        let names = states.map(\.rawValue).sorted()
        return try await database.read { reader in
            try reader.rows(
                """
                SELECT id, kind, state, sealing_key, recipient, message, created_at, expires_at, due_at, attempts,
                    failure, reply, ended_at
                FROM mail_queue WHERE state IN (?, ?) ORDER BY created_at DESC, id DESC LIMIT ?
                """,
                [(names.first ?? "").column, (names.last ?? "").column, limit.column]
            ).map(QueuedMail.init)
        }
    }

    package func purge(endedBefore instant: Instant, limit: Int, in transaction: borrowing Transaction) throws -> Int {
        try transaction.database().change(
            """
            DELETE FROM mail_queue WHERE id IN (
                SELECT id FROM mail_queue WHERE state = 'bounced' AND ended_at < ? ORDER BY ended_at LIMIT ?
            )
            """,
            [instant.column, limit.column]
        )
    }
}

extension QueuedMail {
    fileprivate init(_ row: Row) throws {
        self.init(
            id: try row.id("id"),
            kind: try row.value("kind"),
            state: try row.value("state"),
            sealingKey: try row.text("sealing_key"),
            recipient: try row.bytes("recipient"),
            message: row.optionalBytes("message"),
            createdAt: try row.instant("created_at"),
            expiresAt: try row.instant("expires_at"),
            dueAt: try row.instant("due_at"),
            attempts: Int(try row.integer("attempts")),
            failure: try row.optionalText("failure").map { _ in try row.value("failure") },
            reply: Int.fromDatabaseValue(row["reply"] as DatabaseValue),
            endedAt: row.optionalInstant("ended_at")
        )
    }
}
