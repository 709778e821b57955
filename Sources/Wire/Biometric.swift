/// What the device is to sign.
public struct BiometricChallengeResponse: Codable, Sendable, Equatable {
    /// 32 random bytes, base64: the text is signed, or the bytes.
    public var challenge: String
    /// Until when: UTC, `2026-01-31T09:05:00Z`.
    public var expiresAt: String

    /// An answer with that challenge.
    public init(challenge: String, expiresAt: String) {
        self.challenge = challenge
        self.expiresAt = expiresAt
    }
}
