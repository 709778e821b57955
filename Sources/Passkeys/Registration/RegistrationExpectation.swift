package import Kernel

/// What a registration must answer to: the options that were given out, and the relying party's policy.
package struct RegistrationExpectation: Sendable {
    package var challenge: [UInt8]
    package var relyingParty: RelyingParty
    /// The algorithms that were offered.
    package var algorithms: [COSEAlgorithm]
    package var requiresUserVerification: Bool
    /// Whether the credential must be one that can sign in without a name.
    package var requiresDiscoverable: Bool
    /// Whether it was created without asking (`mediation: "conditional"`): nobody touches anything then.
    package var isConditional: Bool
    /// Whether a credential may be one that is copied between devices.
    package var allowsBackupEligible: Bool
    package var attestation: AttestationPolicy
    /// For the times in certificates.
    package var now: Instant

    package init(
        challenge: [UInt8],
        relyingParty: RelyingParty,
        algorithms: [COSEAlgorithm] = COSEAlgorithm.offered,
        requiresUserVerification: Bool,
        requiresDiscoverable: Bool = false,
        isConditional: Bool = false,
        allowsBackupEligible: Bool = true,
        attestation: AttestationPolicy,
        now: Instant
    ) {
        self.challenge = challenge
        self.relyingParty = relyingParty
        self.algorithms = algorithms
        self.requiresUserVerification = requiresUserVerification
        self.requiresDiscoverable = requiresDiscoverable
        self.isConditional = isConditional
        self.allowsBackupEligible = allowsBackupEligible
        self.attestation = attestation
        self.now = now
    }
}
