package import Kernel

/// The expectations of a registration: the issued options, and the relying party's policy.
package struct RegistrationExpectation: Sendable {
    package var challenge: [UInt8]
    package var relyingParty: RelyingParty
    /// The preferences in the options, whose requirements the response must meet.
    package var preferences: RegistrationPreferences
    /// Whether the browser may create the passkey without asking (`mediation: "conditional"`), so that nobody need be
    /// present.
    package var isConditional: Bool
    /// Whether the credential may be one that can be on several devices.
    package var allowsBackupEligible: Bool
    package var attestation: AttestationPolicy
    /// The time at which certificates must be valid.
    package var now: Instant

    package init(
        challenge: [UInt8],
        relyingParty: RelyingParty,
        preferences: RegistrationPreferences,
        isConditional: Bool,
        allowsBackupEligible: Bool,
        attestation: AttestationPolicy,
        now: Instant
    ) {
        self.challenge = challenge
        self.relyingParty = relyingParty
        self.preferences = preferences
        self.isConditional = isConditional
        self.allowsBackupEligible = allowsBackupEligible
        self.attestation = attestation
        self.now = now
    }
}
