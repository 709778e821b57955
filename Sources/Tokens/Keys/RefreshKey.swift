internal import Crypto
internal import TokenReading

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The key of refresh tokens: HMAC with SHA-256 (RFC 7518 §3.2) with a key derived from `root.key`.
///
/// It is symmetric, because only this server reads refresh tokens. No published key verifies a refresh token, and a
/// leaked signing key cannot make one. The key lasts as long as `root.key`, so that rotating the ring signs nobody out.
struct RefreshKey: Sendable {
    static let algorithm = "HS256"

    let kid: String
    /// The first part of every refresh token, with the dot after it.
    let header: [UInt8]
    private let key: SymmetricKey
    /// An HMAC that already contains the key, because adding the key costs more than adding a token.
    private let keyed: HMAC<SHA256>

    init(_ folder: KeyFolder) {
        kid = folder.rootFingerprint
        header = TokenHeader.part(algorithm: Self.algorithm, kid: kid, type: TokenType.refresh)
        key = folder.derivedKey(.refreshToken)
        keyed = HMAC(key: key)
    }

    func code(for message: [UInt8]) -> [UInt8] {
        var mac = keyed
        mac.update(data: message)
        return Array(mac.finalize())
    }

    /// Whether `code` is the HMAC of `message`.
    ///
    /// The comparison takes constant time.
    func isValid(_ code: [UInt8], for message: [UInt8]) -> Bool {
        code.count == SHA256.byteCount
            && HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: message, using: key)
    }
}
