/// The preferences of a relying party, or of a client's page, for a new credential.
///
/// Values that the response is checked against (``RegistrationExpectation``) have no default.
package struct RegistrationPreferences: Sendable, Equatable {
    package var algorithms: [COSEAlgorithm]
    package var residentKey: ResidentKeyRequirement
    package var userVerification: UserVerificationRequirement
    package var attachment: AuthenticatorAttachment?
    package var attestation: AttestationConveyance
    package var hints: [AuthenticatorHint]
    /// Milliseconds.
    package var timeout: Int

    package init(
        algorithms: [COSEAlgorithm],
        residentKey: ResidentKeyRequirement,
        userVerification: UserVerificationRequirement,
        attestation: AttestationConveyance,
        attachment: AuthenticatorAttachment? = nil,
        hints: [AuthenticatorHint] = [],
        timeout: Int = CeremonyTimeout.usual
    ) {
        self.algorithms = algorithms
        self.residentKey = residentKey
        self.userVerification = userVerification
        self.attachment = attachment
        self.attestation = attestation
        self.hints = hints
        self.timeout = timeout
    }
}

/// The browser's timeout, in milliseconds.
package enum CeremonyTimeout {
    package static let usual = 60_000
    /// The range that the specification recommends (WebAuthn L3 §15.1).
    package static let allowed = 30_000...600_000
}

/// Whether the credential must be discoverable (WebAuthn L3 §5.4.6).
package enum ResidentKeyRequirement: String, Sendable, Codable, CaseIterable {
    case discouraged
    case preferred
    case required
}

/// Whether the user must be verified (WebAuthn L3 §5.8.6).
package enum UserVerificationRequirement: String, Sendable, Codable, CaseIterable {
    case discouraged
    case preferred
    case required
}

/// Whether the authenticator is part of the device or separate (WebAuthn L3 §5.4.5).
package enum AuthenticatorAttachment: String, Sendable, Codable, CaseIterable {
    case platform
    case crossPlatform = "cross-platform"
}

/// The kind of authenticator that the browser suggests first (WebAuthn L3 §5.8.7).
package enum AuthenticatorHint: String, Sendable, Codable, CaseIterable {
    case securityKey = "security-key"
    case clientDevice = "client-device"
    case hybrid
}
