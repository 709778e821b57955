/// The body of `POST /api/mobile/auth/biometric/setup`.
struct BiometricSetupRequest: Codable, Sendable, Equatable {
    /// The id that the app gave its device.
    var deviceId: String
    /// SubjectPublicKeyInfo in DER, base64: P-256, or RSA of 2048 to 8192 bits.
    var publicKey: String
    /// `face` or `fingerprint`, which unlocks the key.
    var biometricType: String
    /// The signature of the key that is replaced, in base64.
    ///
    /// It covers `vestibule-key-replacement-v1`, the device's open challenge and the new key's id.
    var oldKeySignature: String?
}

/// The answer to a setup.
struct BiometricSetupResponse: Codable, Sendable, Equatable {
    var biometricId: String
    var status = "enabled"
}

/// The body of `POST /api/mobile/auth/biometric/challenge`.
struct BiometricChallengeRequest: Codable, Sendable, Equatable {
    /// The id that the app gave its device.
    var deviceId: String
}

/// The body of `POST /api/mobile/auth/biometric/verify`.
struct BiometricVerifyRequest: Codable, Sendable, Equatable {
    /// The id that the app gave its device.
    var deviceId: String
    /// The key's signature over the challenge, base64: ECDSA in DER or as 64 bytes, RSA by PKCS #1 v1.5 or PSS.
    var signature: String
    /// The challenge as it was issued.
    var challenge: String
}

/// The body of `POST /api/mobile/device/register`.
struct DeviceRegistrationRequest: Codable, Sendable, Equatable {
    /// A UUID that the app generates once and keeps.
    var deviceId: String
    /// `ios` or `android`.
    var platform: String
    /// One line of up to 100 characters.
    var deviceName: String
    /// The token that notifications are sent to.
    var pushToken: String?
}

/// The body of `POST /api/mobile/device/push-token`.
struct PushTokenRequest: Codable, Sendable, Equatable {
    /// The id that the app gave its device.
    var deviceId: String
    /// The token that notifications are sent to.
    var pushToken: String
}

/// The body of `PATCH /api/mobile/devices/{id}`.
struct RenameDeviceRequest: Codable, Sendable, Equatable {
    var deviceName: String
}

/// The devices of an account, as its owner sees them.
struct OwnedDevicesResponse: Codable, Sendable, Equatable {
    /// The newest first.
    var devices: [OwnedDeviceView]
}

/// One device of an account, as its owner sees it.
struct OwnedDeviceView: Codable, Sendable, Equatable {
    /// The device's id in this API's paths.
    var id: String
    /// The id that the app gave its device.
    var deviceId: String
    /// The device's name; empty if the device sent none.
    var deviceName: String
    /// `ios` or `android`, if the device sent it.
    var platform: String?
    /// UTC, `2026-01-31T09:05:00Z`.
    var registeredAt: String
    /// The time at which the device's credential expires.
    var expiresAt: String
    /// The time of the last sign-in on the device, or of the last refresh of one of its sessions.
    var lastUsedAt: String?
    /// The place and browser of the newest sign-in on the device, if they are known; in the account's download alone.
    var origin: OriginView?
    /// Whether the request came from this device.
    var current: Bool
    var hasPushToken: Bool
    var biometric: DeviceKeyView?
}

/// A device's key, as its owner sees it.
struct DeviceKeyView: Codable, Sendable, Equatable {
    var biometricId: String
    /// `face` or `fingerprint`, if the app sent it.
    var biometricType: String?
    /// UTC, `2026-01-31T09:05:00Z`.
    var enabledAt: String
    /// The time of the last accepted signature.
    var lastUsedAt: String?
    /// The number of accepted signatures.
    var uses: Int64
    /// The number of valid signatures that no correct device sends.
    ///
    /// Above zero, the key or its app may have been copied.
    var cloneSigns: Int64
}
