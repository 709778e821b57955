package import Kernel

/// A device that was registered: its proofs start logins for its account, as the cookie of a ``DeviceLink`` does.
///
/// Without an owner it proves nothing.
package struct RegisteredDevice: Sendable, Equatable {
    package let id: DeviceID
    package var account: AccountID?
    /// The name, which is unique among a client's devices.
    package let name: DeviceName
    /// The device's display name.
    package var label: String
    /// `nil` for a device that did not name its platform.
    package var platform: Platform?
    package var credential: Credential?
    package let key: DeviceKey?
    package var validity: DeviceValidity

    package init(
        id: DeviceID,
        account: AccountID?,
        name: DeviceName,
        label: String = "",
        platform: Platform? = nil,
        credential: Credential?,
        key: DeviceKey?,
        validity: DeviceValidity
    ) {
        self.id = id
        self.account = account
        self.name = name
        self.label = label
        self.platform = platform
        self.credential = credential
        self.key = key
        self.validity = validity
    }

    /// The secret by which a device proves itself, as it is stored.
    package struct Credential: Sendable, Equatable {
        /// SHA-256 of the credential's text.
        package let digest: Digest256
        /// Whether the credential was given to a session that had not proved to be on the device.
        ///
        /// Such a credential proves no more than that session did.
        package let isUnproven: Bool

        package init(digest: Digest256, isUnproven: Bool = false) {
            self.digest = digest
            self.isUnproven = isUnproven
        }
    }

    package enum Platform: String, Sendable, CaseIterable {
        case ios, android
    }
}

/// A registered device as its owner sees it.
package struct ListedDevice: Sendable, Equatable {
    package let device: RegisteredDevice
    package let key: DeviceKeyRecord?
    package let hasPushToken: Bool
    /// The time of the last sign-in on the device, or refresh of a session on it.
    package let lastUsedAt: Instant?

    package init(device: RegisteredDevice, key: DeviceKeyRecord?, hasPushToken: Bool, lastUsedAt: Instant?) {
        self.device = device
        self.key = key
        self.hasPushToken = hasPushToken
        self.lastUsedAt = lastUsedAt
    }
}
