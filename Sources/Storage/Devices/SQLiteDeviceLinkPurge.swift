import Devices
import GRDB
package import Kernel

extension SQLiteDeviceLinkStore {
    package func purge(endedBefore instant: Instant, limit: Int, in transaction: borrowing Transaction) throws -> Int {
        let writer = try transaction.database()
        let expired = try writer.purge(
            "device_links",
            by: "cookie, account, client",
            where: "expires_at",
            before: instant,
            limit
        )
        guard expired < limit else { return expired }
        return try expired
            + writer.purge(
                "device_links",
                by: "cookie, account, client",
                where: "revoked_at",
                before: instant,
                limit - expired
            )
    }
}
