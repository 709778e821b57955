package import Devices
import GRDB
package import Kernel

/// Device links in SQLite.
package struct SQLiteDeviceLinkStore: DeviceLinkStore {
    package init() {}

    package func insert(_ link: DeviceLink, in transaction: borrowing Transaction) throws {
        try transaction.database().change(
            """
            INSERT INTO device_links
                (cookie, account, client, device, created_at, last_seen_at, expires_at, revoked_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                link.cookie.column, link.account.column, link.client, link.device.column,
                link.createdAt.milliseconds, link.lastSeenAt.milliseconds, link.expiresAt.milliseconds,
                link.revokedAt?.milliseconds,
            ]
        )
    }

    package func find(
        cookie: Digest256,
        account: AccountID,
        client: String,
        in transaction: borrowing Transaction
    ) throws -> DeviceLink? {
        try transaction.database().row(
            "SELECT \(Self.columns) FROM device_links WHERE cookie = ? AND account = ? AND client = ?",
            [cookie.column, account.column, client]
        ).map(Self.link)
    }

    package func anyLink(
        cookie: Digest256,
        client: String,
        in transaction: borrowing Transaction
    ) throws -> DeviceLink? {
        try transaction.database().row(
            """
            SELECT \(Self.columns) FROM device_links WHERE cookie = ? AND client = ? AND revoked_at IS NULL
            ORDER BY expires_at DESC LIMIT 1
            """,
            [cookie.column, client]
        ).map(Self.link)
    }

    package func find(
        _ device: DeviceID,
        account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> DeviceLink? {
        try transaction.database().row(
            "SELECT \(Self.columns) FROM device_links WHERE account = ? AND device = ?",
            [account.column, device.column]
        ).map(Self.link)
    }

    package func prolong(_ link: DeviceLink, in transaction: borrowing Transaction) throws {
        try transaction.database().change(
            """
            UPDATE device_links SET last_seen_at = ?, expires_at = ?
            WHERE cookie = ? AND account = ? AND client = ? AND revoked_at IS NULL
            """,
            [
                link.lastSeenAt.milliseconds, link.expiresAt.milliseconds, link.cookie.column, link.account.column,
                link.client,
            ]
        )
    }

    private static let columns = "cookie, account, client, device, created_at, last_seen_at, expires_at, revoked_at"

    private static func link(_ row: Row) throws -> DeviceLink {
        DeviceLink(
            device: try row.id("device"),
            account: try row.id("account"),
            client: try row.text("client"),
            cookie: try row.digest("cookie"),
            createdAt: try row.instant("created_at"),
            lastSeenAt: try row.instant("last_seen_at"),
            expiresAt: try row.instant("expires_at"),
            revokedAt: row.optionalInstant("revoked_at")
        )
    }
}
