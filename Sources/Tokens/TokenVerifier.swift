package import Kernel
package import TokenReading

/// Reads tokens that this server signed, by the rules of ``TokenChecks``.
///
/// No kind of token is ever accepted as another kind. All kinds differ in `typ` and in the `type` claim. Refresh tokens
/// also differ in the algorithm and in the key.
package struct TokenVerifier: Sendable {
    /// The tolerance for `iat` and `nbf` in the future, because this server's clock may have been set back.
    package static let defaultClockSkew = Duration.seconds(300)

    private let checks: TokenChecks
    private let ring: KeyRing
    private let refreshKey: RefreshKey

    /// - Parameters:
    ///   - issuer: The required `iss`.
    ///   - ring: The key ring that verifies access tokens.
    ///   - folder: The source of the key of refresh tokens.
    ///   - clockSkew: The tolerance for `iat` and `nbf`. `exp` has none, because the same clock set it.
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

    /// Returns the claims of an access token that is valid at `now` for one of `audiences`.
    ///
    /// `proven` is the key of the DPoP proof presented with the token. Without it, a token that is bound to a key is
    /// refused.
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

    /// Returns the claims of an access token that is valid at `now`, for any audience and with any binding.
    ///
    /// It is for introspection and revocation: this check alone grants no access.
    package func inspectAccess(_ token: String, now: Instant) throws(TokenError) -> AccessClaims {
        let snapshot = ring.snapshot
        return try checks.inspectedAccess(try checks.accessForm(token), now: now) { kid throws(TokenError) in
            try snapshot.verificationKey(kid, now: now)
        }
    }

    /// Returns the claims of an id token of this server that a client sends as a hint, even of one that expired long
    /// ago.
    ///
    /// A hint names the person of a request and proves nothing about its sender (OpenID Connect Core §3.1.2.1,
    /// RP-Initiated Logout §2). A hint is refused if its key is retired.
    package func verifyIdentityHint(_ token: String, now: Instant) throws(TokenError) -> IDTokenClaims {
        let (snapshot, second) = (ring.snapshot, ring.identity?.snapshot)
        let reader = try checks.claims(
            of: try UnverifiedToken(parsing: token),
            types: [TokenType.identity],
            claim: IDTokenClaims.type
        ) { kid throws(TokenError) in
            // Only hints are checked with the keys of the second ring, because these keys sign only id tokens.
            if let second, second.knows(kid) { return try second.verificationKey(kid, now: now) }
            return try snapshot.verificationKey(kid, now: now)
        }
        return try IDTokenClaims(reader)
    }

    /// Returns the claims of an approval token that is valid at `now` for one of `audiences`.
    ///
    /// The token grants no access, but states a person's approval. The service that uses it checks that it was not used
    /// before.
    package func verifyApproval(
        _ token: String,
        audiences: Set<String>,
        now: Instant
    ) throws(TokenError) -> ApprovalClaims {
        let reader = try signedClaims(of: token, type: TokenType.approval, claim: ApprovalClaims.type, now: now)
        let claims = try ApprovalClaims(reader)
        guard audiences.contains(claims.audience) else { throw .wrongAudience }
        try checks.checkTimes(reader, issuedAt: claims.issuedAt, expiresAt: claims.expiresAt, now: now)
        return claims
    }

    /// Returns the claims of a receipt for one of `audiences`.
    ///
    /// A receipt grants no access and does not expire, because a payment stays made. It can be verified as long as its
    /// key is published.
    package func verifyReceipt(
        _ token: String,
        audiences: Set<String>,
        now: Instant
    ) throws(TokenError) -> ReceiptClaims {
        let reader = try signedClaims(of: token, type: TokenType.receipt, claim: ReceiptClaims.type, now: now)
        let claims = try ReceiptClaims(reader)
        guard audiences.contains(claims.audience) else { throw .wrongAudience }
        // A receipt does not expire, so that any later time serves as its expiry.
        try checks.checkTimes(reader, issuedAt: claims.issuedAt, expiresAt: now + .seconds(1), now: now)
        return claims
    }

    /// Returns the claims of a refresh token that is valid at `now` by itself.
    ///
    /// The database row of the token says whether it was used or revoked.
    package func verifyRefresh(_ token: String, now: Instant) throws(TokenError) -> RefreshClaims {
        let unverified = try UnverifiedToken(parsing: token)
        guard unverified.type == TokenType.refresh else { throw .wrongType }
        guard unverified.kid == refreshKey.kid else { throw .unknownKey }
        guard unverified.algorithm == RefreshKey.algorithm else { throw .algorithm }
        guard refreshKey.isValid(unverified.signature, for: unverified.signingInput) else { throw .signature }

        let reader = try unverified.claims()
        guard try reader.string("type") == RefreshClaims.type else { throw .wrongType }
        let claims = try RefreshClaims(reader)
        // The time of issue is not checked, because the database row has it. So a clock that was set back signs nobody
        // out.
        guard now < claims.expiresAt else { throw .expired }
        return claims
    }

    /// Returns the claims of a token of that type that the ring signed.
    ///
    /// The times are not checked.
    private func signedClaims(
        of token: String,
        type: String,
        claim: String,
        now: Instant
    ) throws(TokenError) -> ClaimReader {
        let snapshot = ring.snapshot
        return try checks.claims(of: try UnverifiedToken(parsing: token), types: [type], claim: claim) {
            kid throws(TokenError) in
            try snapshot.verificationKey(kid, now: now)
        }
    }
}
