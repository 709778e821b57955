// TokenReading: what makes a signed token valid.
// Owns the form, keys, claims and times of JWTs, and DPoP proofs.
// Signs nothing and fetches nothing; the caller says where the key of a `kid` comes from.
// Survives forged headers: neither algorithm nor key is chosen by the token.
// The daemon and VestibuleTokens read by this one piece, so that they refuse the same.

package import Kernel

/// The checks of a signed token, the same for the daemon that signed it and for a backend that has its published keys.
///
/// The form is checked first, then the kind, then the signature by the one key that `kid` names. The claims come last
/// (RFC 8725 §3).
package struct TokenChecks: Sendable {
    private let issuer: String
    private let clockSkew: Duration
    private let expiryLeeway: Duration

    /// - Parameters:
    ///   - issuer: The required `iss`.
    ///   - clockSkew: How far in the future `iat` and `nbf` may be.
    ///   - expiryLeeway: How long after `exp` a token is still good, for a clock that is not the issuer's.
    package init(issuer: String, clockSkew: Duration, expiryLeeway: Duration) {
        self.issuer = issuer
        self.clockSkew = clockSkew
        self.expiryLeeway = expiryLeeway
    }

    /// Returns the token taken apart, if it is an access token by its form: before its key is looked up.
    package func accessForm(_ token: String) throws(TokenError) -> UnverifiedToken {
        let unverified = try UnverifiedToken(parsing: token)
        guard Self.accessTypes.contains(unverified.type) else { throw .wrongType }
        guard SigningAlgorithm(rawValue: unverified.algorithm) != nil else { throw .algorithm }
        return unverified
    }

    /// Returns the claims of an access token that is good at `now` for one of `audiences`; `key` finds the key of a
    /// `kid`.
    ///
    /// `proven`: The key of the proof presented with the token, `nil` for a bearer token. A token that is bound to a
    /// key is valid with a proof of that key alone. A token that is not bound is valid without a proof alone (RFC 9449
    /// §7.1, §7.2).
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

    /// Returns the claims of an access token that is good at `now`, for any audience and with any binding.
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

    /// Returns the claims of a token of one of `types` that the issuer signed; `claim` is the required value of its
    /// `type`.
    ///
    /// Its times are not checked yet.
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

    /// RFC 7519 §4.1.4 to §4.1.6: good before `exp`, not at it.
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
