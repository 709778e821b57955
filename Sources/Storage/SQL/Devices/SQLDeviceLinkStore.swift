package import Devices
package import Kernel

/// The store of device links.
package struct SQLDeviceLinkStore: DeviceLinkStore {
    package init() {}

    package func insert(_ link: DeviceLink, in transaction: borrowing Transaction) throws {
        try transaction.connection().change(
            """
            INSERT INTO device_links (\(DeviceLinkColumns.selected))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                link.device.column, link.account.column, link.client.column, link.cookie.column,
                link.methods.spaced.column, link.validity.createdAt.column, link.lastSeenAt.column,
                link.validity.expiresAt.column, link.validity.revokedAt.column(\.column),
            ]
        )
    }

    package func find(
        cookies: [Digest256],
        account: AccountID,
        client: String,
        in transaction: borrowing Transaction
    ) throws -> DeviceLink? {
        guard !cookies.isEmpty else { return nil }
        return try best(
            transaction.connection().rows(
                DeviceLinkColumns.self,
                where: "cookie IN (\(cookies.placeholders)) AND account = ? AND client = ?",
                cookies.map(\.column) + [account.column, client.column]
            )
        )
    }

    package func find(
        _ device: DeviceID,
        account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> DeviceLink? {
        try best(
            transaction.connection().rows(
                DeviceLinkColumns.self,
                where: "account = ? AND device = ?",
                [account.column, device.column]
            )
        )
    }

    /// Returns the link that stays valid longest, or a revoked one if there is no other.
    ///
    /// They are few, and to sort them SQLite makes a temporary tree.
    private func best(_ links: [DeviceLink]) -> DeviceLink? {
        links.max { left, right in
            let isRevoked = (left.validity.revokedAt != nil, right.validity.revokedAt != nil)
            if isRevoked.0 != isRevoked.1 { return isRevoked.0 }
            return left.validity.expiresAt < right.validity.expiresAt
        }
    }

    package func prolong(_ link: DeviceLink, in transaction: borrowing Transaction) throws {
        try transaction.connection().change(
            """
            UPDATE device_links SET last_seen_at = ?, expires_at = ?
            WHERE cookie = ? AND account = ? AND client = ? AND revoked_at IS NULL
            """,
            [
                link.lastSeenAt.column, link.validity.expiresAt.column, link.cookie.column, link.account.column,
                link.client.column,
            ]
        )
    }

    package func replace(_ old: Digest256, with link: DeviceLink, in transaction: borrowing Transaction) throws {
        try transaction.connection().change(
            """
            UPDATE device_links SET cookie = ?, methods = ?, last_seen_at = ?, expires_at = ?
            WHERE cookie = ? AND account = ? AND client = ? AND revoked_at IS NULL
            """,
            [
                link.cookie.column, link.methods.spaced.column, link.lastSeenAt.column,
                link.validity.expiresAt.column, old.column, link.account.column, link.client.column,
            ]
        )
    }

    package func revoke(
        _ device: DeviceID,
        of account: AccountID,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> Int {
        try transaction.connection().change(
            "UPDATE device_links SET revoked_at = ? WHERE account = ? AND device = ? AND revoked_at IS NULL",
            [now.column, account.column, device.column]
        )
    }

    package func revokeAll(
        of account: AccountID,
        except kept: DeviceID?,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> Int {
        try transaction.connection().change(
            "UPDATE device_links SET revoked_at = ? WHERE account = ? AND device IS DISTINCT FROM ? AND revoked_at IS NULL",
            [now.column, account.column, kept.column(\.column)]
        )
    }

    package func forget(
        _ cookies: [Digest256],
        on device: DeviceID,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws {
        let writer = try transaction.connection()
        for cookie in cookies {
            try writer.change(
                "DELETE FROM device_links WHERE cookie = ? AND account = ? AND device = ?",
                [cookie.column, account.column, device.column]
            )
        }
    }

    package func forget(
        allBut cookies: [Digest256],
        on device: DeviceID,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws {
        let others = cookies.isEmpty ? "" : " AND cookie NOT IN (\(cookies.placeholders))"
        try transaction.connection().change(
            "DELETE FROM device_links WHERE account = ? AND device = ? AND revoked_at IS NULL\(others)",
            [account.column, device.column] + cookies.map(\.column)
        )
    }
}

/// The columns of a link, in the order of their values.
private enum DeviceLinkColumns: RowColumns {
    static let table: StaticString = "device_links"
    static let selected =
        "device, account, client, cookie, methods, created_at, last_seen_at, expires_at, revoked_at"

    static func read(_ columns: inout ColumnReader) throws -> DeviceLink {
        DeviceLink(
            device: try columns.id("device"),
            account: try columns.id("account"),
            client: try columns.text("client"),
            cookie: try columns.digest("cookie"),
            methods: try columns.words("methods"),
            lastSeenAt: try columns.instant("last_seen_at"),
            validity: DeviceValidity(
                createdAt: try columns.instant("created_at"),
                expiresAt: try columns.instant("expires_at"),
                revokedAt: try columns.optionalInstant("revoked_at")
            )
        )
    }
}
