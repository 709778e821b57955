// TokenReading: the checks that make a signed token valid.
// Owns the form, keys, claims and times of JWTs, and DPoP proofs.
// Signs nothing and fetches nothing: the caller supplies the key of a `kid`.
// Survives forged headers: a token chooses neither its algorithm nor its key.
// The daemon and VestibuleTokens share these checks, so that both refuse the same tokens.

package import Kernel

/// The checks of a signed token.
///
/// The daemon that signed the token and backends that have its published keys use the same checks. The form is checked
/// first, then the kind, then the signature by the key that `kid` names. The claims come last (RFC 8725 §3).
package struct TokenChecks: Sendable {
    private let issuer: String
    private let clockSkew: Duration
    private let expiryLeeway: Duration

    /// - Parameters:
    ///   - issuer: The required `iss`.
    ///   - clockSkew: How far in the future `iat` and `nbf` may be.
    ///   - expiryLeeway: How long after `exp` a token is still valid, if the clock is not the issuer's.
    package init(issuer: String, clockSkew: Duration, expiryLeeway: Duration) {
        self.issuer = issuer
        self.clockSkew = clockSkew
        self.expiryLeeway = expiryLeeway
    }

    /// Parses a token that has the form of an access token, before its key is looked up.
    package func accessForm(_ token: String) throws(TokenError) -> UnverifiedToken {
        let unverified = try UnverifiedToken(parsing: token)
        guard Self.accessTypes.contains(unverified.type) else { throw .wrongType }
        guard SigningAlgorithm(rawValue: unverified.algorithm) != nil else { throw .algorithm }
        return unverified
    }

    /// Returns the claims of an access token that is valid at `now` for one of `audiences`.
    ///
    /// `proven` is the key of the DPoP proof presented with the token; `nil` for a bearer token. A token that is bound
    /// to a key is valid only with a proof of that key. A token that is not bound is valid only without a proof (RFC
    /// 9449 §7.1, §7.2). `key` returns the key of a `kid`.
    package func access(
        _ token: UnverifiedToken,
        audiences: Set<String>,
        now: Instant,
        proven: KeyID? = nil,
        key: (String) throws(TokenError) -> VerificationKey
    ) throws(TokenError) -> AccessClaims {
        let reader = try claims(of: token, types: Self.accessTypes, claim: AccessClaims.type, key: key)
        let claims = try AccessClaims(reader)
        guard audiences.contains(claims.audience) else { throw .wrongAudience }
        try checkTimes(reader, issuedAt: claims.issuedAt, expiresAt: claims.expiresAt, now: now)
        guard claims.confirmation == proven else { throw .binding }
        return claims
    }

    /// Returns the claims of an access token that is valid at `now`, for any audience and with any binding.
    package func inspectedAccess(
        _ token: UnverifiedToken,
        now: Instant,
        key: (String) throws(TokenError) -> VerificationKey
    ) throws(TokenError) -> AccessClaims {
        let reader = try claims(of: token, types: Self.accessTypes, claim: AccessClaims.type, key: key)
        let claims = try AccessClaims(reader)
        try checkTimes(reader, issuedAt: claims.issuedAt, expiresAt: claims.expiresAt, now: now)
        return claims
    }

    private static let accessTypes: Set<String> = [TokenType.access, TokenType.accessInFull]

    /// Returns the claims of a token of one of `types` that the issuer signed.
    ///
    /// The times are not checked.
    ///
    /// `claim` is the required value of the token's `type`.
    package func claims(
        of token: UnverifiedToken,
        types: Set<String>,
        claim: String,
        key: (String) throws(TokenError) -> VerificationKey
    ) throws(TokenError) -> ClaimReader {
        guard types.contains(token.type) else { throw .wrongType }
        let reader = try token.claims(signedBy: try key(token.kid))
        guard try reader.string("type") == claim else { throw .wrongType }
        guard try reader.string("iss") == issuer else { throw .wrongIssuer }
        return reader
    }

    /// Checks the times of a token (RFC 7519 §4.1.4 to §4.1.6).
    ///
    /// A token is valid before `exp`, and no longer at `exp`.
    package func checkTimes(
        _ claims: ClaimReader,
        issuedAt: Instant,
        expiresAt: Instant,
        now: Instant
    ) throws(TokenError) {
        guard now < expiresAt + expiryLeeway else { throw .expired }
        let latest = now + clockSkew
        guard issuedAt <= latest else { throw .notYetValid }
        guard try claims.optionalInstant("nbf").map({ $0 <= latest }) ?? true else { throw .notYetValid }
    }
}
