/// The answer to a registration.
public struct DeviceRegistrationResponse: Codable, Sendable, Equatable {
    /// The credential that proves the device from now on, returned only here.
    public var deviceCredential: String
    /// The end of validity: UTC, `2026-01-31T09:05:00Z`.
    public var expiresAt: String

    /// Creates an answer with that credential.
    public init(deviceCredential: String, expiresAt: String) {
        self.deviceCredential = deviceCredential
        self.expiresAt = expiresAt
    }
}
