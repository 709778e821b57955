package import Kernel
package import Sessions

// Sessions that expired: their tokens in the order of the index by expiry, and the mark of each that is noted.
//
// A mark counts for tokens that had expired by its time. A session that was noted by a clock that was ahead, and was
// refreshed since, counts as not noted.
extension SQLSessionStore {
    package func expired(
        after position: ExpiryPosition,
        until end: Instant,
        limit: Int,
        in transaction: borrowing Transaction
    ) throws -> [ExpiredToken] {
        try transaction.connection().all(
            Self.expired,
            [position.expiresAt.column, position.key?.column ?? .bytes([]), end.column, limit.column]
        ) { columns in
            ExpiredToken(
                position: ExpiryPosition(
                    expiresAt: try columns.instant("expires_at"),
                    key: try columns.digest("jti_hash")
                ),
                client: try columns.text("client"),
                session: try columns.optionalID("session")
            )
        }
    }

    /// The index by expiry alone says which rows are read, so that a page is bounded whatever the rows are.
    static let expired = """
        SELECT page.expires_at, page.jti_hash, page.client,
            CASE WHEN page.child IS NULL AND sessions.revoked_at IS NULL
                AND (sessions.expiry_noted_at IS NULL OR sessions.expiry_noted_at < page.expires_at)
                THEN page.session END AS session
        FROM (
            SELECT expires_at, jti_hash, client, child, session FROM refresh_tokens
            WHERE expires_at >= ?1 AND (expires_at, jti_hash) > (?1, ?2) AND expires_at <= ?3
            ORDER BY expires_at, jti_hash LIMIT ?4
        ) AS page JOIN sessions ON sessions.id = page.session
        ORDER BY page.expires_at, page.jti_hash
        """

    package func noteExpiry(
        of session: SessionID,
        by end: Instant,
        in transaction: borrowing Transaction
    ) throws -> ExpiredSession? {
        try transaction.connection().first(
            """
            UPDATE sessions SET expiry_noted_at = ?1
            WHERE id = ?2 AND revoked_at IS NULL AND (expiry_noted_at IS NULL OR EXISTS (
                SELECT 1 FROM refresh_tokens WHERE session = ?2 AND child IS NULL AND expires_at > expiry_noted_at
            )) AND NOT EXISTS (
                SELECT 1 FROM refresh_tokens WHERE session = ?2 AND child IS NULL AND expires_at > ?1
            )
            RETURNING id, account, client
            """,
            [end.column, session.column]
        ) { columns in
            ExpiredSession(
                id: try columns.id("id"),
                account: try columns.id("account"),
                client: try columns.text("client")
            )
        }
    }

    package func expiriesNotedUntil(in transaction: borrowing Transaction) throws -> Instant? {
        try transaction.connection().first("SELECT noted_until FROM session_expiries WHERE id = 1", []) {
            try $0.instant("noted_until")
        }
    }

    package func keepExpiriesNoted(until end: Instant, in transaction: borrowing Transaction) throws {
        try transaction.connection().change(
            """
            INSERT INTO session_expiries (id, noted_until) VALUES (1, ?)
            ON CONFLICT (id) DO UPDATE SET noted_until = excluded.noted_until
            """,
            [end.column]
        )
    }
}
