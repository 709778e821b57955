package import Kernel
package import TokenReading

/// Reads tokens that this server signed, by the rules of ``TokenChecks``.
///
/// No kind of token is ever accepted as another: all differ in `typ` and in the `type` claim, refresh tokens also in the
/// algorithm and in the key.
package struct TokenVerifier: Sendable {
    /// How far in the future `iat` and `nbf` may lie: our own clock may have been set back since.
    package static let defaultClockSkew = Duration.seconds(300)

    private let checks: TokenChecks
    private let ring: KeyRing
    private let refreshKey: RefreshKey

    /// - Parameters:
    ///   - issuer: What `iss` must be.
    ///   - ring: Verifies access tokens.
    ///   - folder: Where the key of refresh tokens comes from.
    ///   - clockSkew: For `iat` and `nbf` only. `exp` is exact: a client was told the lifetime by the same clock.
    package init(
        issuer: String,
        ring: KeyRing,
        folder: KeyFolder,
        clockSkew: Duration = TokenVerifier.defaultClockSkew
    ) {
        checks = TokenChecks(issuer: issuer, clockSkew: clockSkew, expiryLeeway: .zero)
        self.ring = ring
        refreshKey = RefreshKey(folder)
    }

    /// Returns the claims of an access token that is good at `now` for one of `audiences`.
    ///
    /// `proven`: the key of the proof that came with it; without one, a token that is bound to a key is refused.
    package func verifyAccess(
        _ token: String,
        audiences: Set<String>,
        now: Instant,
        proven: KeyID? = nil
    ) throws(TokenError) -> AccessClaims {
        let snapshot = ring.snapshot
        return try checks.access(try checks.accessForm(token), audiences: audiences, now: now, proven: proven) {
            kid throws(TokenError) in
            try snapshot.verificationKey(kid, now: now)
        }
    }

    /// Returns the claims of an access token that is good at `now`, whomever it is for and whatever it is bound to.
    ///
    /// For whoever tells what a token is worth, or ends it: nobody is let in by this alone.
    package func inspectAccess(_ token: String, now: Instant) throws(TokenError) -> AccessClaims {
        let snapshot = ring.snapshot
        return try checks.inspectedAccess(try checks.accessForm(token), now: now) { kid throws(TokenError) in
            try snapshot.verificationKey(kid, now: now)
        }
    }

    /// Returns the claims of an id token of ours that a client shows as a hint, be it expired long ago.
    ///
    /// A hint says whom a request is about and proves nothing of who makes it (OpenID Connect Core §3.1.2.1,
    /// RP-Initiated Logout §2): only one whose key is retired counts no more.
    package func verifyIdentityHint(_ token: String, now: Instant) throws(TokenError) -> IDTokenClaims {
        let (snapshot, second) = (ring.snapshot, ring.identity?.snapshot)
        let reader = try checks.claims(
            of: try UnverifiedToken(parsing: token),
            types: [TokenType.identity],
            claim: IDTokenClaims.type
        ) { kid throws(TokenError) in
            // The second ring's keys are asked for here and nowhere else: they sign id tokens alone.
            if let second, second.knows(kid) { return try second.verificationKey(kid, now: now) }
            return try snapshot.verificationKey(kid, now: now)
        }
        return try IDTokenClaims(reader)
    }

    /// Returns the claims of an approval token that is good at `now` for one of `audiences`.
    ///
    /// It lets nobody in: it says what a person has approved. Whether it was used before stands with whoever uses it.
    package func verifyApproval(
        _ token: String,
        audiences: Set<String>,
        now: Instant
    ) throws(TokenError) -> ApprovalClaims {
        let snapshot = ring.snapshot
        let reader = try checks.claims(
            of: try UnverifiedToken(parsing: token),
            types: [TokenType.approval],
            claim: ApprovalClaims.type
        ) { kid throws(TokenError) in try snapshot.verificationKey(kid, now: now) }
        let claims = try ApprovalClaims(reader)
        guard audiences.contains(claims.audience) else { throw .wrongAudience }
        try checks.checkTimes(reader, issuedAt: claims.issuedAt, expiresAt: claims.expiresAt, now: now)
        return claims
    }

    /// Returns the claims of a receipt for one of `audiences`.
    ///
    /// It lets nobody in, and has no end of its own: what was paid stays paid. It can be checked here for as
    /// long as its key is published.
    package func verifyReceipt(
        _ token: String,
        audiences: Set<String>,
        now: Instant
    ) throws(TokenError) -> ReceiptClaims {
        let snapshot = ring.snapshot
        let reader = try checks.claims(
            of: try UnverifiedToken(parsing: token),
            types: [TokenType.receipt],
            claim: ReceiptClaims.type
        ) { kid throws(TokenError) in try snapshot.verificationKey(kid, now: now) }
        let claims = try ReceiptClaims(reader)
        guard audiences.contains(claims.audience) else { throw .wrongAudience }
        // It has no end: the next second stands in for one.
        try checks.checkTimes(reader, issuedAt: claims.issuedAt, expiresAt: now + .seconds(1), now: now)
        return claims
    }

    /// Returns the claims of a refresh token that is good at `now`, as far as the token itself can say: whether it was
    /// used or revoked stands in its row.
    package func verifyRefresh(_ token: String, now: Instant) throws(TokenError) -> RefreshClaims {
        let unverified = try UnverifiedToken(parsing: token)
        guard unverified.type == TokenType.refresh else { throw .wrongType }
        guard unverified.kid == refreshKey.kid else { throw .unknownKey }
        guard unverified.algorithm == RefreshKey.algorithm else { throw .algorithm }
        guard refreshKey.isValid(unverified.signature, for: unverified.signingInput) else { throw .signature }

        let reader = try unverified.claims()
        guard try reader.string("type") == RefreshClaims.type else { throw .wrongType }
        let claims = try RefreshClaims(reader)
        // When it was issued decides nothing: its row stands for that, and a clock that was set back signs nobody out.
        guard now < claims.expiresAt else { throw .expired }
        return claims
    }
}
