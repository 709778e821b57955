import Devices
package import Kernel

// The revocation and deletion of devices, and their push tokens.
extension SQLRegisteredDeviceStore {
    package func revoke(_ device: DeviceID, at now: Instant, in transaction: borrowing Transaction) throws -> Bool {
        let writer = try transaction.connection()
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
        try writer.change("DELETE FROM device_challenges WHERE device = ?", [device.column])
        try dropPushToken(of: device, in: transaction)
        return true
    }

    package func forgetKey(of device: DeviceID, in transaction: borrowing Transaction) throws {
        let writer = try transaction.connection()
        try writer.change("DELETE FROM device_challenges WHERE device = ?", [device.column])
        try writer.change("DELETE FROM device_keys WHERE device = ?", [device.column])
    }

    package func put(
        pushToken encrypted: String,
        of device: DeviceID,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws {
        try transaction.connection().change(
            """
            INSERT INTO push_tokens (device, sealed, updated_at) VALUES (?, ?, ?)
            ON CONFLICT (device) DO UPDATE SET
                sealed = excluded.sealed, updated_at = excluded.updated_at, origin = NULL
            """,
            [device.column, encrypted.column, now.column]
        )
    }

    package func pushToken(of device: DeviceID, in transaction: borrowing Transaction) throws -> String? {
        try transaction.connection().first("SELECT sealed FROM push_tokens WHERE device = ?", [device.column]) {
            try $0.text("sealed")
        }
    }

    @discardableResult
    package func dropPushToken(of device: DeviceID, in transaction: borrowing Transaction) throws -> Bool {
        try transaction.connection().change("DELETE FROM push_tokens WHERE device = ?", [device.column]) == 1
    }
}
