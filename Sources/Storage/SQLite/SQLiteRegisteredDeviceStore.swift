package import Devices
import GRDB
package import Kernel

/// Registered devices in SQLite.
package struct SQLiteRegisteredDeviceStore: RegisteredDeviceStore {
    package init() {}

    package func insert(_ device: RegisteredDevice, in transaction: borrowing Transaction) throws {
        let writer = try transaction.database()
        try writer.change(
            """
            INSERT INTO devices (id, account, client, name, credential, created_at, expires_at, revoked_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                device.id.column, device.account.column(\.column), device.client.column, device.name.column,
                device.credential.column(\.column), device.createdAt.column, device.expiresAt.column,
                device.revokedAt.column(\.column),
            ]
        )
        guard let key = device.key else { return }
        try writer.change(
            "INSERT INTO device_keys (device, public_key, last_count) VALUES (?, ?, 0)",
            [device.id.column, key.text.column]
        )
    }

    package func find(credential: Digest256, in transaction: borrowing Transaction) throws -> RegisteredDevice? {
        try first("credential = ?", [credential.column], transaction)
    }

    package func find(
        name: String,
        client: String,
        in transaction: borrowing Transaction
    ) throws -> RegisteredDevice? {
        try first("client = ? AND name = ?", [client.column, name.column], transaction)
    }

    package func find(_ device: DeviceID, in transaction: borrowing Transaction) throws -> RegisteredDevice? {
        try first("id = ?", [device.column], transaction)
    }

    package func take(count: Int64, of device: DeviceID, in transaction: borrowing Transaction) throws -> Bool {
        let writer = try transaction.database()
        let highest = try writer.first("SELECT last_count FROM device_keys WHERE device = ?", [device.column]) {
            try $0.integer()
        }
        let taken = try writer.all("SELECT count FROM device_counts WHERE device = ?", [device.column]) {
            try $0.integer()
        }
        guard let highest, DeviceCounts(highest: highest, taken: taken).isNew(count) else { return false }
        try writer.change(
            "UPDATE device_keys SET last_count = MAX(last_count, ?) WHERE device = ?",
            [count.column, device.column]
        )
        try writer.change(
            "INSERT OR IGNORE INTO device_counts (device, count) VALUES (?, ?)",
            [device.column, count.column]
        )
        try writer.change(
            """
            DELETE FROM device_counts WHERE device = ?1 AND count NOT IN (
                SELECT count FROM device_counts WHERE device = ?1 ORDER BY count DESC LIMIT ?2
            )
            """,
            [device.column, DeviceCounts.kept.column]
        )
        return true
    }

    package func revoke(_ device: DeviceID, at now: Instant, in transaction: borrowing Transaction) throws -> Bool {
        let writer = try transaction.database()
        let count = try writer.change(
            "UPDATE devices SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL",
            [now.column, device.column]
        )
        guard count == 1 else { return false }
        try writer.change(
            """
            UPDATE device_links SET revoked_at = ? WHERE device = ? AND revoked_at IS NULL
                AND account = (SELECT account FROM devices WHERE id = ?)
            """,
            [now.column, device.column, device.column]
        )
        return true
    }

    package func purge(endedBefore instant: Instant, limit: Int, in transaction: borrowing Transaction) throws -> Int {
        try transaction.database().change(
            """
            DELETE FROM devices WHERE id IN (
                SELECT id FROM devices WHERE expires_at < ? OR revoked_at < ? LIMIT ?
            )
            """,
            [instant.column, instant.column, limit.column]
        )
    }

    private func first(
        _ condition: String,
        _ values: [ColumnValue],
        _ transaction: borrowing Transaction
    ) throws -> RegisteredDevice? {
        try transaction.database().first(
            """
            SELECT id, account, client, name, credential, public_key, created_at, expires_at, revoked_at
            FROM devices LEFT JOIN device_keys ON device_keys.device = devices.id WHERE \(condition)
            """,
            values
        ) { columns in
            RegisteredDevice(
                id: try columns.id(),
                account: try columns.optionalText().map { try Self.account($0) },
                client: try columns.text(),
                name: try columns.text(),
                credential: try columns.optionalDigest(),
                key: try columns.optionalText().map { try Self.key($0) },
                createdAt: try columns.instant(),
                expiresAt: try columns.instant(),
                revokedAt: columns.optionalInstant()
            )
        }
    }

    private static func account(_ text: String) throws -> AccountID {
        guard let account = AccountID(parsing: text) else {
            throw StoreFailure.corrupt(cause: "column account can't be read")
        }
        return account
    }

    private static func key(_ text: String) throws -> DeviceKey {
        guard let key = DeviceKey(text: text) else {
            throw StoreFailure.corrupt(cause: "column public_key can't be read")
        }
        return key
    }
}
