import Devices
import Kernel

/// The columns of a registered device and of its key.
enum DeviceColumns {
    static let device = """
        devices.id, devices.account, devices.client, devices.name, devices.label, devices.platform, devices.credential,
        devices.is_credential_unproven, device_keys.public_key, devices.created_at, devices.expires_at, devices.revoked_at
        """

    /// The columns of a key, named differently from the device's.
    static let key = """
        device_keys.public_key AS key_public_key, device_keys.biometric AS key_biometric,
        device_keys.created_at AS key_created_at, device_keys.uses AS key_uses,
        device_keys.clone_signs AS key_clone_signs, device_keys.last_used_at AS key_last_used_at
        """

    static func readDevice(_ columns: inout ColumnReader) throws -> RegisteredDevice {
        RegisteredDevice(
            id: try columns.id("id"),
            account: try columns.optionalID("account"),
            name: DeviceName(client: try columns.text("client"), device: try columns.text("name")),
            label: try columns.text("label"),
            platform: try columns.optionalValue("platform"),
            credential: try columns.optionalDigest("credential").map {
                RegisteredDevice.Credential(digest: $0, isUnproven: try columns.flag("is_credential_unproven"))
            },
            key: try columns.optionalText("public_key").map(key),
            validity: DeviceValidity(
                createdAt: try columns.instant("created_at"),
                expiresAt: try columns.instant("expires_at"),
                revokedAt: try columns.optionalInstant("revoked_at")
            )
        )
    }

    /// Returns `nil` for a device without a key: an outer join that found no key.
    static func readKey(_ columns: inout ColumnReader) throws -> DeviceKeyRecord? {
        guard let text = try columns.optionalText("key_public_key") else { return nil }
        return DeviceKeyRecord(
            key: try key(text),
            biometric: try columns.optionalValue("key_biometric"),
            createdAt: try columns.instant("key_created_at"),
            uses: try columns.integer("key_uses"),
            cloneSigns: try columns.integer("key_clone_signs"),
            lastUsedAt: try columns.optionalInstant("key_last_used_at")
        )
    }

    private static func key(_ text: String) throws -> DeviceKey {
        guard let key = DeviceKey(text: text) else {
            throw StoreError.corrupt(cause: "column public_key can't be read")
        }
        return key
    }
}
