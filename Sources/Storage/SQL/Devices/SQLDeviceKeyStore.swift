package import Devices
package import Kernel

/// The store of registered devices' keys, and of the challenges that they sign.
package struct SQLDeviceKeyStore: DeviceKeyStore {
    package init() {}

    package func put(_ key: DeviceKeyRecord, of device: DeviceID, in transaction: borrowing Transaction) throws {
        let writer = try transaction.connection()
        try writer.change("DELETE FROM device_keys WHERE device = ?", [device.column])
        try writer.change(
            """
            INSERT INTO device_keys
                (device, public_key, last_count, biometric, created_at, uses, clone_signs, last_used_at)
            VALUES (?, ?, 0, ?, ?, ?, ?, ?)
            """,
            [
                device.column, key.key.text.column, key.biometric.column(\.rawValue.column), key.createdAt.column,
                key.uses.column, key.cloneSigns.column, key.lastUsedAt.column(\.column),
            ]
        )
    }

    package func key(of device: DeviceID, in transaction: borrowing Transaction) throws -> DeviceKeyRecord? {
        try transaction.connection().first(
            "SELECT \(DeviceColumns.key) FROM device_keys WHERE device = ?",
            [device.column]
        ) { try DeviceColumns.readKey(&$0) } ?? nil
    }

    package func noteUse(of device: DeviceID, at now: Instant, in transaction: borrowing Transaction) throws {
        try transaction.connection().change(
            "UPDATE device_keys SET uses = uses + 1, last_used_at = ? WHERE device = ?",
            [now.column, device.column]
        )
    }

    package func noteCloneSign(of device: DeviceID, in transaction: borrowing Transaction) throws {
        try transaction.connection().change(
            "UPDATE device_keys SET clone_signs = clone_signs + 1 WHERE device = ?",
            [device.column]
        )
    }

    package func put(_ challenge: DeviceChallenge, in transaction: borrowing Transaction) throws {
        try transaction.connection().change(
            """
            INSERT INTO device_challenges (device, challenge, expires_at, used_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (device) DO UPDATE SET
                challenge = excluded.challenge, expires_at = excluded.expires_at, used_at = excluded.used_at
            """,
            [
                challenge.device.column, challenge.value.column, challenge.expiresAt.column,
                challenge.usedAt.column(\.column),
            ]
        )
    }

    package func challenge(of device: DeviceID, in transaction: borrowing Transaction) throws -> DeviceChallenge? {
        try transaction.connection().first(
            "SELECT challenge, expires_at, used_at FROM device_challenges WHERE device = ?",
            [device.column]
        ) { columns in
            DeviceChallenge(
                device: device,
                value: try columns.digest("challenge"),
                expiresAt: try columns.instant("expires_at"),
                usedAt: try columns.optionalInstant("used_at")
            )
        }
    }

    package func use(
        _ challenge: Digest256,
        of device: DeviceID,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try transaction.connection().change(
            """
            UPDATE device_challenges SET used_at = ?
            WHERE device = ? AND challenge = ? AND used_at IS NULL AND expires_at > ?
            """,
            [now.column, device.column, challenge.column, now.column]
        ) == 1
    }
}
