package import Kernel

/// Reads tokens that this server signed: first the form, then the kind, then the one key that `kid` names, and only
/// behind a good signature the claims (RFC 8725 §3).
///
/// No kind of token is ever accepted as another: all differ in `typ` and in the `type` claim, refresh tokens also in the
/// algorithm and in the key.
package struct TokenVerifier: Sendable {
    /// How far in the future `iat` and `nbf` may lie: our own clock may have been set back since.
    package static let defaultClockSkew = Duration.seconds(300)

    private let issuer: String
    private let ring: KeyRing
    private let refreshKey: RefreshKey
    private let clockSkew: Duration

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
        self.issuer = issuer
        self.ring = ring
        refreshKey = RefreshKey(folder)
        self.clockSkew = clockSkew
    }

    /// The claims of an access token that is good at `now` for one of `audiences`.
    package func verifyAccess(
        _ token: String,
        audiences: Set<String>,
        now: Instant
    ) throws(TokenRefusal) -> AccessClaims {
        let reader = try ringSigned(token, types: Self.accessTypes, claim: AccessClaims.type, now)
        let claims = try AccessClaims(reader)
        guard audiences.contains(claims.audience) else { throw .wrongAudience }
        try check(reader, issuedAt: claims.issuedAt, expiresAt: claims.expiresAt, now: now)
        return claims
    }

    /// The claims of an approval token that is good at `now` for one of `audiences`.
    ///
    /// It lets nobody in: it says what a person has approved. Whether it was used before stands with whoever uses it.
    package func verifyApproval(
        _ token: String,
        audiences: Set<String>,
        now: Instant
    ) throws(TokenRefusal) -> ApprovalClaims {
        let reader = try ringSigned(token, types: [TokenType.approval], claim: ApprovalClaims.type, now)
        let claims = try ApprovalClaims(reader)
        guard audiences.contains(claims.audience) else { throw .wrongAudience }
        try check(reader, issuedAt: claims.issuedAt, expiresAt: claims.expiresAt, now: now)
        return claims
    }

    private static let accessTypes: Set<String> = [TokenType.access, TokenType.accessInFull]

    /// The claims of a token of that kind, ours by a key of the ring.
    private func ringSigned(
        _ token: String,
        types: Set<String>,
        claim: String,
        _ now: Instant
    ) throws(TokenRefusal) -> ClaimReader {
        let unverified = try UnverifiedToken(parsing: token)
        guard types.contains(unverified.type) else { throw .wrongType }
        let key = try ring.snapshot.verificationKey(unverified.kid, now: now)
        guard unverified.algorithm == key.algorithm.rawValue else { throw .algorithm }
        guard key.isValid(unverified.signature, for: unverified.signingInput) else { throw .signature }
        let reader = try unverified.claims()
        guard try reader.string("type") == claim else { throw .wrongType }
        guard try reader.string("iss") == issuer else { throw .wrongIssuer }
        return reader
    }

    /// The claims of a refresh token that is good at `now`, as far as the token itself can say: whether it was used
    /// or revoked stands in its row.
    package func verifyRefresh(_ token: String, now: Instant) throws(TokenRefusal) -> RefreshClaims {
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

    /// RFC 7519 §4.1.4 to §4.1.6: good before `exp`, not at it.
    private func check(
        _ claims: ClaimReader,
        issuedAt: Instant,
        expiresAt: Instant,
        now: Instant
    ) throws(TokenRefusal) {
        guard now < expiresAt else { throw .expired }
        let latest = now + clockSkew
        guard issuedAt <= latest else { throw .notYetValid }
        guard try claims.optionalInstant("nbf").map({ $0 <= latest }) ?? true else { throw .notYetValid }
    }
}
