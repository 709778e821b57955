package import Kernel

/// A device that was registered: its proofs start logins for its account, as the cookie of a ``DeviceLink`` does.
///
/// Without an owner it proves nothing.
package struct RegisteredDevice: Sendable, Equatable {
    package let id: DeviceID
    package var account: AccountID?
    package let client: String
    /// The id that the client gave itself, as it came; one of a client's devices has it.
    package let name: String
    /// The device's display name.
    package var label: String
    /// `nil` for one that did not say.
    package var platform: Platform?
    /// SHA-256 of the device credential's text.
    package var credential: Digest256?
    /// Whether the credential was given to a session that had not proved to be on the device: it proves no more than
    /// that session did.
    package var isCredentialUnproven: Bool
    package let key: DeviceKey?
    package let createdAt: Instant
    package var expiresAt: Instant
    package let revokedAt: Instant?

    package init(
        id: DeviceID,
        account: AccountID?,
        client: String,
        name: String,
        label: String = "",
        platform: Platform? = nil,
        credential: Digest256?,
        isCredentialUnproven: Bool = false,
        key: DeviceKey?,
        createdAt: Instant,
        expiresAt: Instant,
        revokedAt: Instant?
    ) {
        self.id = id
        self.account = account
        self.client = client
        self.name = name
        self.label = label
        self.platform = platform
        self.credential = credential
        self.isCredentialUnproven = isCredentialUnproven
        self.key = key
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.revokedAt = revokedAt
    }

    package func isLive(at now: Instant) -> Bool { revokedAt == nil && now < expiresAt }

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
