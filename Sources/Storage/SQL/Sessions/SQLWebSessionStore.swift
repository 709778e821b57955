package import Kernel
package import Sessions

/// Stores which browser's cookie holds which session.
package struct SQLWebSessionStore: WebSessionStore {
    private let database: any SQLDatabase

    package init(_ database: any SQLDatabase) { self.database = database }

    package func insert(_ session: WebSession, in transaction: borrowing Transaction) throws {
        try transaction.connection().change(
            """
            INSERT INTO web_sessions (cookie, session, is_alone, created_at, seen_at, expires_at)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                session.cookie.column, session.session.column, session.isAlone.column, session.createdAt.column,
                session.seenAt.column, session.expiresAt.column,
            ]
        )
    }

    package func find(_ cookie: Digest256) async throws -> WebSession? {
        try await database.read { reader in
            try reader.first(Self.selection, [cookie.column]) { try Self.read(cookie, &$0) }
        }
    }

    package func lastSeen(of sessions: Set<SessionID>) async throws -> [SessionID: Instant] {
        let seen = try await database.read { reader in
            try reader.all(
                """
                SELECT session, MAX(seen_at) AS seen_at FROM web_sessions
                WHERE session IN (\(sessions.placeholders)) GROUP BY session
                """,
                sessions.map(\.column)
            ) { (try $0.id("session", SessionID.self), try $0.instant("seen_at")) }
        }
        return Dictionary(seen) { first, _ in first }
    }

    package func markSeen(_ cookie: Digest256, at now: Instant, in transaction: borrowing Transaction) throws {
        try transaction.connection().change(
            "UPDATE web_sessions SET seen_at = ?1 WHERE cookie = ?2 AND seen_at < ?1",
            [now.column, cookie.column]
        )
    }

    package func remove(_ cookie: Digest256, in transaction: borrowing Transaction) throws -> WebSession? {
        let database = try transaction.connection()
        guard let found = try database.first(Self.selection, [cookie.column], read: { try Self.read(cookie, &$0) })
        else {
            return nil
        }
        try database.change("DELETE FROM web_sessions WHERE cookie = ?", [cookie.column])
        return found
    }

    package func removeAll(of session: SessionID, in transaction: borrowing Transaction) throws {
        try transaction.connection().change("DELETE FROM web_sessions WHERE session = ?", [session.column])
    }

    private static let selection = """
        SELECT session, is_alone, created_at, seen_at, expires_at FROM web_sessions WHERE cookie = ?
        """

    private static func read(_ cookie: Digest256, _ columns: inout ColumnReader) throws -> WebSession {
        WebSession(
            cookie: cookie,
            session: try columns.id("session"),
            isAlone: try columns.flag("is_alone"),
            createdAt: try columns.instant("created_at"),
            seenAt: try columns.instant("seen_at"),
            expiresAt: try columns.instant("expires_at")
        )
    }
}
