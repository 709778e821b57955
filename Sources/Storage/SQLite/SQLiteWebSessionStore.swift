import GRDB
package import Kernel
package import Sessions

/// The sessions of browsers in SQLite.
package struct SQLiteWebSessionStore: WebSessionStore {
    private let database: SQLiteDatabase

    package init(_ database: SQLiteDatabase) { self.database = database }

    package func insert(_ session: WebSession, in transaction: borrowing Transaction) throws {
        try transaction.database().change(
            """
            INSERT INTO web_sessions (cookie, session, created_at, seen_at, expires_at) VALUES (?, ?, ?, ?, ?)
            """,
            [
                session.cookie.column, session.session.column, session.createdAt.column, session.seenAt.column,
                session.expiresAt.column,
            ]
        )
    }

    package func find(_ cookie: Digest256) async throws -> WebSession? {
        try await database.read { reader in
            try reader.first(
                "SELECT session, created_at, seen_at, expires_at FROM web_sessions WHERE cookie = ?",
                [cookie.column]
            ) { columns in
                WebSession(
                    cookie: cookie,
                    session: try columns.id(),
                    createdAt: try columns.instant(),
                    seenAt: try columns.instant(),
                    expiresAt: try columns.instant()
                )
            }
        }
    }

    package func markSeen(_ cookie: Digest256, at now: Instant, in transaction: borrowing Transaction) throws {
        try transaction.database().change(
            "UPDATE web_sessions SET seen_at = MAX(seen_at, ?) WHERE cookie = ?",
            [now.column, cookie.column]
        )
    }

    package func remove(_ cookie: Digest256, in transaction: borrowing Transaction) throws -> Bool {
        try transaction.database().change("DELETE FROM web_sessions WHERE cookie = ?", [cookie.column]) == 1
    }

    package func purge(
        expiredBefore instant: Instant,
        limit: Int,
        in transaction: borrowing Transaction
    ) throws -> Int {
        try transaction.database().change(
            """
            DELETE FROM web_sessions WHERE cookie IN (
                SELECT cookie FROM web_sessions WHERE expires_at < ? ORDER BY expires_at LIMIT ?
            )
            """,
            [instant.column, limit.column]
        )
    }
}
