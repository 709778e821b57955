/// The body of `POST /api/mobile/device/register`.
public struct DeviceRegistrationRequest: Codable, Sendable, Equatable {
    /// A UUID that the app made once and keeps.
    public var deviceId: String
    /// `ios` or `android`.
    public var platform: String
    /// What people call the device: one line of up to 100 characters.
    public var deviceName: String
    /// The token that notifications are sent to, if there is one.
    public var pushToken: String?

    /// A registration without a push token.
    public init(deviceId: String, platform: String, deviceName: String) {
        self.deviceId = deviceId
        self.platform = platform
        self.deviceName = deviceName
    }
}

/// The answer to a registration.
public struct DeviceRegistrationResponse: Codable, Sendable, Equatable {
    /// What proves the device from now on; shown this once.
    public var deviceCredential: String
    /// Until when: UTC, `2026-01-31T09:05:00Z`.
    public var expiresAt: String

    /// An answer with that credential.
    public init(deviceCredential: String, expiresAt: String) {
        self.deviceCredential = deviceCredential
        self.expiresAt = expiresAt
    }
}

/// The body of `POST /api/mobile/device/push-token`.
public struct PushTokenRequest: Codable, Sendable, Equatable {
    /// The id that the app gave its device.
    public var deviceId: String
    /// The token that notifications are sent to.
    public var pushToken: String
}

/// The body of `PATCH /api/mobile/devices/{id}`.
public struct RenameDeviceRequest: Codable, Sendable, Equatable {
    /// What the device is to be called.
    public var deviceName: String
}

/// The answer to a change that leaves nothing to show.
public struct ChangedResponse: Codable, Sendable, Equatable {
    /// A sentence for people.
    public var message: String
    /// Always true.
    public var success: Bool

    /// An answer with that sentence.
    public init(message: String) {
        self.message = message
        success = true
    }
}

/// The devices of an account, as its owner sees them.
public struct OwnedDevicesResponse: Codable, Sendable, Equatable {
    /// The newest first.
    public var devices: [OwnedDeviceView]

    /// An answer with those devices.
    public init(devices: [OwnedDeviceView]) { self.devices = devices }
}

/// One device of an account, as its owner sees it.
public struct OwnedDeviceView: Codable, Sendable, Equatable {
    /// The id that the routes take.
    public var id: String
    /// The id that the app gave it.
    public var deviceId: String
    /// What people call it; empty for one that never said.
    public var deviceName: String
    /// `ios` or `android`, where it said so.
    public var platform: String?
    /// When it was registered: UTC, `2026-01-31T09:05:00Z`.
    public var registeredAt: String
    /// Until when it proves anything.
    public var expiresAt: String
    /// When somebody signed in on it, or a session on it was refreshed, for the last time.
    public var lastUsedAt: String?
    /// Whether the request came from it.
    public var current: Bool
    /// Whether notifications can be sent to it.
    public var hasPushToken: Bool
    /// Its key, where it has one.
    public var biometric: DeviceKeyView?

    /// A device without a key that was never used.
    public init(
        id: String,
        deviceId: String,
        deviceName: String,
        platform: String?,
        registeredAt: String,
        expiresAt: String,
        current: Bool,
        hasPushToken: Bool
    ) {
        self.id = id
        self.deviceId = deviceId
        self.deviceName = deviceName
        self.platform = platform
        self.registeredAt = registeredAt
        self.expiresAt = expiresAt
        self.current = current
        self.hasPushToken = hasPushToken
    }
}

/// A device's key, as its owner sees it.
public struct DeviceKeyView: Codable, Sendable, Equatable {
    /// What the key is called.
    public var biometricId: String
    /// `face` or `fingerprint`, where the app said what unlocks it.
    public var biometricType: String?
    /// When the device got it: UTC, `2026-01-31T09:05:00Z`.
    public var enabledAt: String
    /// When a signature of it was last accepted.
    public var lastUsedAt: String?
    /// How many signatures were accepted.
    public var uses: Int64
    /// How many good signatures came that no careful device sends; above zero, something of it may have been copied.
    public var cloneSigns: Int64

    /// A key that was never used.
    public init(biometricId: String, biometricType: String?, enabledAt: String, uses: Int64, cloneSigns: Int64) {
        self.biometricId = biometricId
        self.biometricType = biometricType
        self.enabledAt = enabledAt
        self.uses = uses
        self.cloneSigns = cloneSigns
    }
}
