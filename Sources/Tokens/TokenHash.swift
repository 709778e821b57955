internal import Crypto
internal import Kernel
internal import TokenReading

/// The hash by which an id token refers to a token issued with it (OpenID Connect Core §3.1.3.6).
enum TokenHash {
    /// Returns the left half, in base64url, of a hash of the token.
    ///
    /// The hash is that of the id token's algorithm: SHA-256, or SHA-512 with Ed25519, which uses it itself (RFC 8032
    /// §5.1).
    static func half(of token: Secret, for algorithm: SigningAlgorithm) -> String {
        let text = Array(token.expose().utf8)
        return switch algorithm {
        case .es256, .rs256: Base64URL.encode(Array(SHA256.hash(data: text)).prefix(SHA256.byteCount / 2))
        case .edDSA: Base64URL.encode(Array(SHA512.hash(data: text)).prefix(SHA512.byteCount / 2))
        }
    }
}
