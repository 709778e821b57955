package import Kernel

/// What a collected login is worth: fixed at the first collection, handed out again unchanged, never more than once per
/// operation.
///
/// It holds claims, no tokens; those are signed from it anew.
package struct Grant: Sendable, Equatable {
    /// The session that it opens; of an approval the one that asked.
    package let session: SessionID
    /// The `jti` of the access token, or of the approval's.
    package let accessTokenID: UUIDBits
    /// The `jti` of the refresh token.
    ///
    /// Erased from the row when the operation closes. An approval has one token, which both ids name.
    package let refreshTokenID: UUIDBits
    /// `iat` of both tokens, wall clock.
    package let issuedAt: Instant
    /// When the person proved who they are (OpenID Connect Core §2, `auth_time`), wall clock.
    package let authenticatedAt: Instant
    /// When the first collection happened, on the engine's clock: the redemption window runs from here.
    package private(set) var redeemedAt: Instant
    package let collector: Collector

    package init(
        session: SessionID,
        accessTokenID: UUIDBits,
        refreshTokenID: UUIDBits,
        issuedAt: Instant,
        authenticatedAt: Instant,
        redeemedAt: Instant,
        collector: Collector
    ) {
        self.session = session
        self.accessTokenID = accessTokenID
        self.refreshTokenID = refreshTokenID
        self.issuedAt = issuedAt
        self.authenticatedAt = authenticatedAt
        self.redeemedAt = redeemedAt
        self.collector = collector
    }

    /// Who may have the same grant again.
    package enum Collector: Sendable, Equatable {
        /// Whoever proves to be the caller again: by verifier or binding cookie.
        case proven
        /// A client that keeps no cookies: whoever has this digest of address and user agent, for a short while.
        case fingerprint(Digest256)
    }

    func clamped(to now: Instant) -> Grant {
        var copy = self
        copy.redeemedAt = min(redeemedAt, now)
        return copy
    }
}
