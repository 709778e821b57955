/// Why an attestation that holds is not trusted (WebAuthn L3 §7.1 step 24).
package enum TrustFault: Error, Sendable, Equatable {
    /// The certificates end at no anchor for such authenticators.
    case untrusted
    /// A certificate doesn't name the next one as its issuer (WebAuthn L3 §8.2: the chain in its order).
    case order
    case notYetValid
    case expired
    /// An extension that has to be understood and isn't (RFC 5280 §4.2).
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
}
