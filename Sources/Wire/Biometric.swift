/// The body of `POST /api/mobile/auth/biometric/setup`.
public struct BiometricSetupRequest: Codable, Sendable, Equatable {
    /// The id that the app gave its device.
    public var deviceId: String
    /// SubjectPublicKeyInfo in DER, base64: P-256, or RSA of 2048 to 8192 bits.
    public var publicKey: String
    /// What unlocks the key: `face` or `fingerprint`.
    public var biometricType: String
    /// Where another key is replaced: the old key's signature over `vestibule-key-replacement-v1`, the device's open
    /// challenge and the new key's id, base64.
    public var oldKeySignature: String?
}

/// The answer to a setup.
public struct BiometricSetupResponse: Codable, Sendable, Equatable {
    /// What the key is called.
    public var biometricId: String
    /// `enabled`.
    public var status: String

    /// An answer with that key.
    public init(biometricId: String) {
        self.biometricId = biometricId
        status = "enabled"
    }
}

/// The body of `POST /api/mobile/auth/biometric/challenge`.
public struct BiometricChallengeRequest: Codable, Sendable, Equatable {
    /// The id that the app gave its device.
    public var deviceId: String
}

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

/// The body of `POST /api/mobile/auth/biometric/verify`.
public struct BiometricVerifyRequest: Codable, Sendable, Equatable {
    /// The id that the app gave its device.
    public var deviceId: String
    /// The key's signature over the challenge, base64: ECDSA in DER or as 64 bytes, RSA by PKCS #1 v1.5 or PSS.
    public var signature: String
    /// The challenge as it was handed out.
    public var challenge: String
}
