internal import Crypto
internal import TokenReading

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The key of refresh tokens: HMAC with SHA-256 (RFC 7518 §3.2) under a key derived from `root.key`.
///
/// Symmetric on purpose, since nobody but this server has to read a refresh token. No published key verifies one, and a
/// leaked signing key makes none. It lives as long as the root does; rotating the ring logs nobody out.
struct RefreshKey: Sendable {
    static let algorithm = "HS256"

    let kid: String
    /// The first part of every refresh token, with its dot.
    let header: [UInt8]
    private let key: SymmetricKey
    /// An HMAC that has taken the key in already, which costs more than a token does.
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

    /// Takes the same time wherever the first difference is.
    func isValid(_ code: [UInt8], for message: [UInt8]) -> Bool {
        code.count == SHA256.byteCount
            && HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: message, using: key)
    }
}
