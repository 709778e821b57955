internal import Crypto
internal import Kernel
internal import TokenReading

/// The hash by which an id token names a token beside it (OpenID Connect Core §3.1.3.6).
enum TokenHash {
    /// Returns the left half, in base64url, of the hash that goes with the id token's algorithm: SHA-256, and SHA-512
    /// with Ed25519, which is what that signature hashes with (RFC 8032 §5.1).
    static func half(of token: Secret, for algorithm: SigningAlgorithm) -> String {
        let text = Array(token.expose().utf8)
        return switch algorithm {
        case .es256, .rs256: Base64URL.encode(Array(SHA256.hash(data: text)).prefix(SHA256.byteCount / 2))
        case .edDSA: Base64URL.encode(Array(SHA512.hash(data: text)).prefix(SHA512.byteCount / 2))
        }
    }
}
