package import Kernel

/// The claims of a collected operation.
///
/// They are fixed at the first collection, and a repeated collection gets the same.
///
/// A grant holds no tokens: they are signed from it at each collection.
package struct Grant: Sendable, Equatable {
    /// The session that the login opens, or the session that asked for the approval.
    package let session: SessionID
    /// The `jti` of the access token or of the approval's token.
    package let accessTokenID: UUIDBits
    /// The `jti` of the refresh token.
    ///
    /// It is erased from the operation's row when the operation closes. An approval has one token, whose `jti` is in
    /// both properties.
    package let refreshTokenID: UUIDBits
    /// `iat` of both tokens, wall clock.
    package let issuedAt: Instant
    /// The time at which the person authenticated (OpenID Connect Core §2, `auth_time`), wall clock.
    package let authenticatedAt: Instant
    /// The time of the first collection, on the engine's clock: the redemption window begins here.
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

    /// The caller that may collect the same grant again.
    package enum Collector: Sendable, Equatable {
        /// A caller that presents the code verifier, the binding cookie or the starting session again.
        case proven
        /// A client without cookies: a caller with this digest of address and user agent, for
        /// ``Visibility/fingerprintWindow``.
        case fingerprint(Digest256)
    }

    func clamped(to now: Instant) -> Grant {
        var copy = self
        copy.redeemedAt = min(redeemedAt, now)
        return copy
    }
}
