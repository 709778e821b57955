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
