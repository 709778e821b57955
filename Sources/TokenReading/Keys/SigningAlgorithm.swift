/// The algorithms with which tokens of this server may be signed.
///
/// A token's header never adds another algorithm (RFC 8725 §3.1).
package enum SigningAlgorithm: String, CaseIterable, Codable, Sendable {
    /// ECDSA on P-256 with SHA-256, the signature as `r || s` (RFC 7518 §3.4).
    case es256 = "ES256"
    /// Ed25519 (RFC 8037 §3.1).
    case edDSA = "EdDSA"
    /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518 §3.3), for verifiers that support no newer algorithm.
    case rs256 = "RS256"
}
