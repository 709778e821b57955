/// The algorithms that access tokens may be signed with.
///
/// A token's header never widens this list (RFC 8725 §3.1).
package enum SigningAlgorithm: String, CaseIterable, Codable, Sendable {
    /// ECDSA on P-256 with SHA-256, the signature as `r || s` (RFC 7518 §3.4).
    case es256 = "ES256"
    /// Ed25519 (RFC 8037 §3.1).
    case edDSA = "EdDSA"
    /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518 §3.3), for verifiers that know nothing newer.
    case rs256 = "RS256"
}
