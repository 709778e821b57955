internal import Crypto
package import Kernel

/// Derives the `jti` of the tokens that follow a refresh token, from its `jti`, with HMAC-SHA256 (RFC 2104).
///
/// The same refresh token always gives the same successors, and no token is stored. The HMAC has a key of its own. So
/// the holder of a token cannot compute the successor's `jti`, and could not sign the successor either.
package struct RefreshSuccession: Sendable {
    private let keyed: KeyedHash

    package init(_ folder: KeyFolder) { keyed = KeyedHash(key: folder.derivedKey(.refreshSuccession)) }

    /// Returns the `jti` of the refresh token that follows the one with that `jti`.
    package func successor(of tokenID: String) -> String { name("refresh", [tokenID]) }

    /// Returns the `jti` of the access token that is issued at that time together with, or for, that refresh token.
    ///
    /// If it is signed again, it is the same token (RFC 7519 §4.1.7).
    package func accessTokenID(for tokenID: String, issuedAt: Instant) -> String {
        name("access", [tokenID, String(issuedAt.seconds)])
    }

    /// Returns the `jti` of an access token that is limited to those scopes or resources.
    ///
    /// Other limits give another `jti`.
    package func accessTokenID(for tokenID: String, issuedAt: Instant, limitedTo limits: [String]) -> String {
        name("limited access", [tokenID, String(issuedAt.seconds)] + limits)
    }

    /// Returns the `jti` of the first refresh token of a session that the authorization server opened.
    ///
    /// It can be computed again from the session.
    package func first(of session: SessionID) -> String { name("first", [session.description]) }

    private func name(_ purpose: String, _ parts: [String]) -> String {
        let code = keyed.digest(Array(([purpose] + parts).joined(separator: "\n").utf8))
        return UUIDBits(version4: Array(code.bytes.prefix(16))).description
    }
}
