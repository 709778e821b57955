package import Kernel

/// The expectations of a registration: the issued options, and the relying party's policy.
package struct RegistrationExpectation: Sendable {
    package var challenge: [UInt8]
    package var relyingParty: RelyingParty
    /// The preferences in the options: their requirements apply to the answer.
    package var preferences: RegistrationPreferences
    /// Whether the passkey was created without asking (`mediation: "conditional"`): then the person touches nothing.
    package var isConditional: Bool
    /// Whether a credential may be one that is copied between devices.
    package var allowsBackupEligible: Bool
    package var attestation: AttestationPolicy
    /// The time to check certificates at.
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
