internal import Kernel
internal import TokenReading

/// The key of refresh tokens: HMAC with SHA-256 (RFC 7518 §3.2) with a key derived from `root.key`.
///
/// It is symmetric, because only this server reads refresh tokens. No published key verifies a refresh token, and a
/// leaked signing key cannot make one. The key lasts as long as `root.key`, so that rotating the ring signs nobody out.
struct RefreshKey: Sendable {
    static let algorithm = "HS256"

    let kid: String
    /// The first part of every refresh token, with the dot after it.
    let header: [UInt8]
    private let keyed: KeyedHash

    init(_ folder: KeyFolder) {
        kid = folder.rootFingerprint
        header = TokenHeader.part(algorithm: Self.algorithm, kid: kid, type: TokenType.refresh)
        keyed = KeyedHash(key: folder.derivedKey(.refreshToken))
    }

    func code(for message: [UInt8]) -> [UInt8] { keyed.digest(message).bytes }

    /// Whether `code` is the HMAC of `message`.
    ///
    /// The comparison takes constant time.
    func isValid(_ code: [UInt8], for message: [UInt8]) -> Bool { Digest256(code) == keyed.digest(message) }
}
