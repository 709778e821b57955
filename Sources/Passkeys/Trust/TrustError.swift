/// The reason why a valid attestation is not trusted (WebAuthn L3 §7.1 step 24).
package enum TrustError: Error, Sendable, Equatable {
    /// The certificates lead to no trust anchor for the model and the format.
    case untrusted
    /// A certificate doesn't name the next one as its issuer (WebAuthn L3 §8.2: the chain in its order).
    case order
    case notYetValid
    case expired
    /// A critical extension is not understood (RFC 5280 §4.2).
    case criticalExtension
    /// A certificate is signed with SHA-1.
    case weakSignature
    /// An issuer's key is not for signing certificates (RFC 5280 §4.2.1.3).
    case keyUsage
    /// The chain violates basic constraints, a path length, or an issuer's name constraints (RFC 5280 §6.1).
    case constraints
    /// The metadata lists the model, but not with this type of attestation.
    case attestationType
    /// The metadata reports that the model must not be relied on.
    case status(AuthenticatorStatus)
    /// The metadata should have been replaced by now.
    case metadataOverdue

    /// Whether the metadata reports an undesired status of the model; other errors only mean that trust is missing.
    package var isReported: Bool {
        if case .status = self { true } else { false }
    }

    /// A stable code for programs.
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
