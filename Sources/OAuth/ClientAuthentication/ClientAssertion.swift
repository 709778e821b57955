internal import Kernel
internal import TokenReading

/// A client's assertion about itself (RFC 7521 §4.2, RFC 7523 §2.2 and §3).
package struct ClientAssertion: Sendable {
    /// `client_assertion_type`.
    package static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    /// The longest lifetime, from `iat` if there is one.
    package static let longestLife = Duration.seconds(600)
    /// The tolerated difference of the client's clock, either way.
    package static let clockSkew = Duration.seconds(30)
    /// The most characters of a `jti`.
    package static let longestID = 256

    /// The accepted types: most libraries write none; request objects, proofs and access tokens are refused.
    static let tokenTypes: Set<String> = ["jwt", "client-authentication+jwt"]

    let id: String
    /// The time from which the assertion is invalid, and need not be remembered.
    let expiresAt: Instant

    /// Checks the claims of an assertion with a valid signature.
    /// - Throws: ``TokenError`` `claims`, `wrongIssuer`, `wrongAudience`, `expired` or `notYetValid`.
    init(_ claims: ClaimReader, of client: String, for audiences: Set<String>, at now: Instant) throws(TokenError) {
        // RFC 7523 §3 items 1 and 2: for the authentication of a client both are its id.
        guard try claims.string("iss") == client, try claims.string("sub") == client else { throw .wrongIssuer }
        // Item 3. An assertion for several servers could be replayed by any of them: all audiences must be this server's.
        let named = try claims.audiences()
        guard !named.isEmpty, named.isSubset(of: audiences) else { throw .wrongAudience }
        // Items 4 to 6.
        let issuedAt = try claims.optionalFractionalInstant("iat")
        let latest = now + Self.clockSkew
        guard issuedAt.map({ $0 <= latest }) ?? true else { throw .notYetValid }
        guard try claims.optionalFractionalInstant("nbf").map({ $0 <= latest }) ?? true else { throw .notYetValid }
        var end = try claims.fractionalInstant("exp")
        // Several libraries write an hour. An assertion with `iat` is valid for ten minutes from then; one without must not
        // expire later than that from now.
        if let issuedAt { end = min(end, issuedAt + Self.longestLife) }
        guard end <= latest + Self.longestLife else { throw .claims }
        expiresAt = end + Self.clockSkew
        guard now < expiresAt else { throw .expired }
        // Item 7: `jti` is required here, because each assertion counts once.
        id = try claims.string("jti")
        guard id.utf8.count <= Self.longestID else { throw .claims }
    }
}
