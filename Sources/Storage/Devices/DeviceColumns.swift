import Devices
import Kernel

/// The columns of a registered device and of its key, in the order in which they are read.
enum DeviceColumns {
    static let device = """
        devices.id, devices.account, devices.client, devices.name, devices.label, devices.platform, devices.credential,
        devices.is_credential_unproven, device_keys.public_key, devices.created_at, devices.expires_at, devices.revoked_at
        """

    static let key = """
        device_keys.public_key, device_keys.biometric, device_keys.created_at, device_keys.uses,
        device_keys.clone_signs, device_keys.last_used_at
        """

    static func readDevice(_ columns: inout ColumnReader) throws -> RegisteredDevice {
        RegisteredDevice(
            id: try columns.id(),
            account: try columns.optionalID(),
            client: try columns.text(),
            name: try columns.text(),
            label: try columns.text(),
            platform: try columns.optionalValue(),
            credential: try columns.optionalDigest(),
            isCredentialUnproven: try columns.integer() == 1,
            key: try columns.optionalText().map(key),
            createdAt: try columns.instant(),
            expiresAt: try columns.instant(),
            revokedAt: columns.optionalInstant()
        )
    }

    /// `nil` for a device without one: of an outer join that found nothing.
    static func readKey(_ columns: inout ColumnReader) throws -> DeviceKeyRecord? {
        guard let text = columns.optionalText() else { return nil }
        return DeviceKeyRecord(
            key: try key(text),
            biometric: try columns.optionalValue(),
            createdAt: try columns.instant(),
            uses: try columns.integer(),
            cloneSigns: try columns.integer(),
            lastUsedAt: columns.optionalInstant()
        )
    }

    private static func key(_ text: String) throws -> DeviceKey {
        guard let key = DeviceKey(text: text) else {
            throw StoreFailure.corrupt(cause: "column public_key can't be read")
        }
        return key
    }
}
