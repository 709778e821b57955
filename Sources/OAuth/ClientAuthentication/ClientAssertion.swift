internal import Kernel
internal import TokenReading

/// A client's assertion about itself (RFC 7521 §4.2, RFC 7523 §2.2 and §3).
package struct ClientAssertion: Sendable {
    /// The required value of `client_assertion_type`.
    package static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    /// The longest lifetime, counted from `iat` if the assertion has one.
    package static let longestLife = Duration.seconds(600)
    /// The tolerated error of the client's clock, in either direction.
    package static let clockSkew = Duration.seconds(30)
    /// The most characters of a `jti`.
    package static let longestID = 256

    /// The accepted types.
    ///
    /// Most libraries write none. Request objects, DPoP proofs and access tokens are refused.
    static let tokenTypes: Set<String> = ["jwt", "client-authentication+jwt"]

    let id: String
    /// The time from which the assertion is invalid, so that its `jti` need not be remembered.
    let expiresAt: Instant

    /// Checks the claims of an assertion with a valid signature.
    /// - Throws: ``TokenError`` `claims`, `wrongIssuer`, `wrongAudience`, `expired` or `notYetValid`.
    init(_ claims: ClaimReader, of client: String, for audiences: Set<String>, at now: Instant) throws(TokenError) {
        // RFC 7523 §3 items 1 and 2: both claims must be the id of the client that authenticates.
        guard try claims.string("iss") == client, try claims.string("sub") == client else { throw .wrongIssuer }
        // Item 3. Each server of several audiences could replay the assertion, so all audiences must be this server's.
        let named = try claims.audiences()
        guard !named.isEmpty, named.isSubset(of: audiences) else { throw .wrongAudience }
        // Items 4 to 6.
        let issuedAt = try claims.optionalFractionalInstant("iat")
        let latest = now + Self.clockSkew
        guard issuedAt.map({ $0 <= latest }) ?? true else { throw .notYetValid }
        guard try claims.optionalFractionalInstant("nbf").map({ $0 <= latest }) ?? true else { throw .notYetValid }
        var end = try claims.fractionalInstant("exp")
        // Several libraries set a lifetime of an hour. With `iat`, an assertion is valid for ten minutes from then.
        // Without `iat`, it must expire within ten minutes from now.
        if let issuedAt { end = min(end, issuedAt + Self.longestLife) }
        guard end <= latest + Self.longestLife else { throw .claims }
        expiresAt = end + Self.clockSkew
        guard now < expiresAt else { throw .expired }
        // Item 7: `jti` is required here, because each assertion is accepted once.
        id = try claims.string("jti")
        guard id.utf8.count <= Self.longestID else { throw .claims }
    }

    /// Returns the mark of the assertion, which has its client and its `jti` but not its other claims.
    func mark(of client: String) -> UsedMark {
        UsedMark(.assertion, of: Self.digest(client, id), expiresAt: expiresAt)
    }

    /// Returns a digest of a client's id and the `jti` of a token that it signed.
    static func digest(_ client: String, _ id: String) -> Digest256 {
        Digest256(sha256: Digest256(sha256: client).bytes + Digest256(sha256: id).bytes)
    }
}
