import Devices
import GRDB
package import Kernel

extension SQLiteDeviceLinkStore {
    package func purge(endedBefore instant: Instant, limit: Int, in transaction: borrowing Transaction) throws -> Int {
        let writer = try transaction.database()
        let expired = try writer.change(
            """
            DELETE FROM device_links WHERE (cookie, account, client) IN (
                SELECT cookie, account, client FROM device_links WHERE expires_at < ? ORDER BY expires_at LIMIT ?
            )
            """,
            [instant.column, limit.column]
        )
        guard expired < limit else { return expired }
        return try expired
            + writer.change(
                """
                DELETE FROM device_links WHERE (cookie, account, client) IN (
                    SELECT cookie, account, client FROM device_links WHERE revoked_at < ? ORDER BY revoked_at LIMIT ?
                )
                """,
                [instant.column, (limit - expired).column]
            )
    }
}
