/// The challenge for a device to sign.
public struct BiometricChallengeResponse: Codable, Sendable, Equatable {
    /// 32 random bytes in base64, of which the device signs the text or the bytes.
    public var challenge: String
    /// The end of validity: UTC, `2026-01-31T09:05:00Z`.
    public var expiresAt: String

    /// Creates an answer with that challenge.
    public init(challenge: String, expiresAt: String) {
        self.challenge = challenge
        self.expiresAt = expiresAt
    }
}
