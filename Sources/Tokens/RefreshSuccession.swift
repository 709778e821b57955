internal import Crypto
package import Kernel

/// Derives the tokens that follow a token, by a secret function of the `jti`.
///
/// The same parent gives the same child wherever and however often it is presented, and no token is stored.
///
/// HMAC-SHA256 (RFC 2104) under a key of its own. The holder of a token can't compute its successor's name, and would
/// lack the signature.
package struct RefreshSuccession: Sendable {
    private let keyed: KeyedHash

    package init(_ folder: KeyFolder) { keyed = KeyedHash(key: folder.derivedKey(.refreshSuccession)) }

    /// Returns the `jti` of the refresh token that follows on that one.
    package func successor(of tokenID: String) -> String { name("refresh", [tokenID]) }

    /// Returns the `jti` of the access token that is issued beside or from that refresh token at that time.
    ///
    /// Signed again it is the same token (RFC 7519 §4.1.7).
    package func accessTokenID(for tokenID: String, issuedAt: Instant) -> String {
        name("access", [tokenID, String(issuedAt.seconds)])
    }

    /// Returns the same for an access token that is limited to that: another scope or resource makes another token.
    package func accessTokenID(for tokenID: String, issuedAt: Instant, limitedTo limits: [String]) -> String {
        name("limited access", [tokenID, String(issuedAt.seconds)] + limits)
    }

    /// Returns the `jti` of the first refresh token of a session that the authorization server opened: it can be
    /// computed again from the session.
    package func first(of session: SessionID) -> String { name("first", [session.description]) }

    private func name(_ purpose: String, _ parts: [String]) -> String {
        let code = keyed.digest(Array(([purpose] + parts).joined(separator: "\n").utf8))
        return UUIDBits(version4: Array(code.bytes.prefix(16))).description
    }
}
