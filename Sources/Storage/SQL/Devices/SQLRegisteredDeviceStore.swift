package import Devices
package import Kernel

/// Registered devices.
package struct SQLRegisteredDeviceStore: OwnedDeviceStore {
    package init() {}

    package func insert(_ device: RegisteredDevice, in transaction: borrowing Transaction) throws {
        try transaction.connection().change(
            """
            INSERT INTO devices
                (id, account, client, name, label, platform, credential, is_credential_unproven, created_at, expires_at,
                revoked_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                device.id.column, device.account.column(\.column), device.name.client.column,
                device.name.device.column, device.label.column, device.platform.column(\.rawValue.column),
                device.credential.column(\.digest.column), (device.credential?.isUnproven ?? false).column,
                device.validity.createdAt.column, device.validity.expiresAt.column,
                device.validity.revokedAt.column(\.column),
            ]
        )
        guard let key = device.key else { return }
        let record = DeviceKeyRecord(key: key, biometric: nil, createdAt: device.validity.createdAt)
        try SQLDeviceKeyStore().put(record, of: device.id, in: transaction)
    }

    package func update(_ device: RegisteredDevice, in transaction: borrowing Transaction) throws {
        try transaction.connection().change(
            """
            UPDATE devices SET account = ?, label = ?, platform = ?, credential = ?, is_credential_unproven = ?,
                expires_at = ? WHERE id = ?
            """,
            [
                device.account.column(\.column), device.label.column, device.platform.column(\.rawValue.column),
                device.credential.column(\.digest.column), (device.credential?.isUnproven ?? false).column,
                device.validity.expiresAt.column, device.id.column,
            ]
        )
    }

    package func delete(_ device: DeviceID, in transaction: borrowing Transaction) throws {
        try transaction.connection().change("DELETE FROM devices WHERE id = ?", [device.column])
    }

    package func find(credential: Digest256, in transaction: borrowing Transaction) throws -> RegisteredDevice? {
        try first("credential = ?", [credential.column], in: transaction)
    }

    package func find(_ name: DeviceName, in transaction: borrowing Transaction) throws -> RegisteredDevice? {
        try first("client = ? AND name = ?", [name.client.column, name.device.column], in: transaction)
    }

    package func find(_ device: DeviceID, in transaction: borrowing Transaction) throws -> RegisteredDevice? {
        try first("id = ?", [device.column], in: transaction)
    }

    package func list(
        of account: AccountID,
        client: String?,
        at now: Instant,
        limit: Int,
        in transaction: borrowing Transaction
    ) throws -> [ListedDevice] {
        try transaction.connection().all(
            """
            SELECT \(DeviceColumns.device), \(DeviceColumns.key),
                CAST(EXISTS (SELECT 1 FROM push_tokens WHERE push_tokens.device = devices.id) AS INTEGER)
                    AS has_push_token,
                (SELECT MAX(used_at) FROM (
                    SELECT devices.last_used_at AS used_at
                    UNION ALL SELECT issued_at FROM sessions
                        JOIN refresh_tokens ON refresh_tokens.session = sessions.id
                        WHERE sessions.account = devices.account AND sessions.device = devices.id
                ) AS uses) AS last_used_at
            FROM devices LEFT JOIN device_keys ON device_keys.device = devices.id
            WHERE devices.account = ?1 AND devices.client = COALESCE(?2, devices.client)
                AND devices.revoked_at IS NULL AND devices.expires_at > ?3
            ORDER BY devices.created_at DESC, devices.id LIMIT ?4
            """,
            [account.column, client.column(\.column), now.column, limit.column]
        ) { columns in
            ListedDevice(
                device: try DeviceColumns.readDevice(&columns),
                key: try DeviceColumns.readKey(&columns),
                hasPushToken: try columns.flag("has_push_token"),
                lastUsedAt: try columns.optionalInstant("last_used_at")
            )
        }
    }

    package func count(of account: AccountID, at now: Instant, in transaction: borrowing Transaction) throws -> Int {
        try transaction.connection().count(
            "SELECT COUNT(*) AS count FROM devices WHERE account = ? AND revoked_at IS NULL AND expires_at > ?",
            [account.column, now.column]
        )
    }

    package func take(count: Int64, of device: DeviceID, in transaction: borrowing Transaction) throws -> Bool {
        let writer = try transaction.connection()
        let highest = try writer.first("SELECT last_count FROM device_keys WHERE device = ?", [device.column]) {
            try $0.integer("last_count")
        }
        let taken = try writer.all("SELECT count FROM device_counts WHERE device = ?", [device.column]) {
            try $0.integer("count")
        }
        guard let highest, DeviceCounts(highest: highest, taken: taken).isNew(count) else { return false }
        try writer.change(
            "UPDATE device_keys SET last_count = ?1 WHERE device = ?2 AND last_count < ?1",
            [count.column, device.column]
        )
        try writer.change(
            "INSERT INTO device_counts (device, count) VALUES (?, ?) ON CONFLICT (device, count) DO NOTHING",
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

    package func noteSignIn(on device: DeviceID, at now: Instant, in transaction: borrowing Transaction) throws {
        try transaction.connection().change(
            "UPDATE devices SET last_used_at = ? WHERE id = ?",
            [now.column, device.column]
        )
    }

    private func first(
        _ condition: String,
        _ values: [ColumnValue],
        in transaction: borrowing Transaction
    ) throws -> RegisteredDevice? {
        try transaction.connection().first(
            """
            SELECT \(DeviceColumns.device)
            FROM devices LEFT JOIN device_keys ON device_keys.device = devices.id WHERE \(condition)
            """,
            values
        ) { try DeviceColumns.readDevice(&$0) }
    }
}
