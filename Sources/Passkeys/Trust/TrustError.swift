/// The reason for which a valid attestation is not trusted (WebAuthn L3 §7.1 step 24).
package enum TrustError: Error, Sendable, Equatable {
    /// The certificates end at no anchor for such authenticators.
    case untrusted
    /// A certificate doesn't name the next one as its issuer (WebAuthn L3 §8.2: the chain in its order).
    case order
    case notYetValid
    case expired
    /// A critical extension is not understood (RFC 5280 §4.2).
    case criticalExtension
    /// A certificate signed with SHA-1.
    case weakSignature
    /// An issuer whose key is not for signing certificates (RFC 5280 §4.2.1.3).
    case keyUsage
    /// Basic constraints, the length of the path, or the names that an issuer may certify (RFC 5280 §6.1).
    case constraints
    /// The metadata knows the model, and that it attests in another way.
    case attestationType
    /// The metadata knows that the model is not to be relied on.
    case status(AuthenticatorStatus)
    /// The metadata should have been replaced by now.
    case metadataOverdue

    /// Whether the model has a bad report, and not merely no good one.
    package var isReported: Bool {
        if case .status = self { true } else { false }
    }

    /// Stable, for machines.
    package var code: String {
        switch self {
        case .untrusted: "attestation_untrusted"
        case .order: "attestation_chain_order"
        case .notYetValid: "attestation_chain_not_yet_valid"
        case .expired: "attestation_chain_expired"
        case .criticalExtension: "attestation_chain_critical_extension"
        case .weakSignature: "attestation_chain_weak_signature"
        case .keyUsage: "attestation_chain_key_usage"
        case .constraints: "attestation_chain_constraints"
        case .attestationType: "attestation_type_not_listed"
        case .status: "authenticator_status"
        case .metadataOverdue: "metadata_overdue"
        }
    }

    /// The error and its remedy, in one sentence for an operator.
    package var explanation: String {
        switch self {
        case .untrusted: "The attestation's certificates end at no trust anchor for this model and format."
        case .order: "The attestation's certificates are not in order, each before the certificate of its issuer."
        case .notYetValid: "A certificate of the attestation is not valid yet. Check this machine's clock."
        case .expired: "A certificate of the attestation or its anchor has expired. Look for a newer anchor."
        case .criticalExtension: "A certificate of the attestation has a critical extension that isn't understood here."
        case .weakSignature: "A certificate of the attestation is signed with SHA-1, which proves nothing."
        case .keyUsage: "An issuer of the attestation's certificates has a key that is not for signing certificates."
        case .constraints: "The attestation's certificates break the constraints of their issuers."
        case .attestationType: "The metadata says that this model attests in another way."
        case .status(let status): "The metadata reports \(status.name) of this model. Use another authenticator."
        case .metadataOverdue: "The metadata is overdue. Load the newest with vestibule mds load."
        }
    }
}
