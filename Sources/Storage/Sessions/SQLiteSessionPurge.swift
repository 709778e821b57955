import GRDB
package import Kernel
import Sessions

extension SQLiteSessionStore {
    package func purge(endedBefore instant: Instant, limit: Int, in transaction: borrowing Transaction) throws -> Int {
        let writer = try transaction.database()
        var purged = try purgeExpired(before: instant, limit: limit, in: writer)
        if purged < limit { purged += try purgeRevoked(before: instant, limit: limit - purged, in: writer) }
        return purged
    }

    /// Expired refresh rows, and each session that has none left.
    private func purgeExpired(before instant: Instant, limit: Int, in writer: Database) throws -> Int {
        let expired = try writer.all(
            "SELECT jti_hash, session FROM refresh_tokens WHERE expires_at < ? ORDER BY expires_at LIMIT ?",
            [instant.column, limit.column]
        ) { (key: try $0.digest("jti_hash"), session: try $0.text("session")) }
        for row in expired {
            try writer.change("DELETE FROM refresh_tokens WHERE jti_hash = ?", [row.key.column])
        }
        var purged = expired.count
        for session in Set(expired.map(\.session)) {
            purged += try writer.change(
                """
                DELETE FROM sessions WHERE id = ?1
                    AND NOT EXISTS (SELECT 1 FROM refresh_tokens WHERE session = ?1)
                """,
                [session.column]
            )
        }
        return purged
    }

    /// Revoked sessions: first their refresh rows, which may be many, so that the unit stays bounded.
    private func purgeRevoked(before instant: Instant, limit: Int, in writer: Database) throws -> Int {
        let purged = try writer.change(
            """
            DELETE FROM refresh_tokens WHERE jti_hash IN (
                SELECT jti_hash FROM sessions CROSS JOIN refresh_tokens ON refresh_tokens.session = sessions.id
                WHERE sessions.revoked_at < ? LIMIT ?
            )
            """,
            [instant.column, limit.column]
        )
        guard purged < limit else { return purged }
        return try purged
            + writer.purge("sessions", by: "id", where: "revoked_at", before: instant, limit - purged)
    }
}
