package import Kernel

/// The claims of a collected login: fixed at the first collection, handed out again unchanged, one per operation.
///
/// It holds no tokens; those are signed from it each time.
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

    /// The caller that may have the same grant again.
    package enum Collector: Sendable, Equatable {
        /// A caller that presents the verifier or the binding cookie again.
        case proven
        /// A client without cookies: a caller with this digest of address and user agent, for a short while.
        case fingerprint(Digest256)
    }

    func clamped(to now: Instant) -> Grant {
        var copy = self
        copy.redeemedAt = min(redeemedAt, now)
        return copy
    }
}
