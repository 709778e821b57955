internal import Kernel
internal import TokenReading

/// A client's assertion about itself (RFC 7521 §4.2, RFC 7523 §2.2 and §3).
package struct ClientAssertion: Sendable {
    /// `client_assertion_type`.
    package static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    /// How long one counts at the most, from when it was made if it says so.
    package static let longestLife = Duration.seconds(600)
    /// How far the client's clock may be off, either way.
    package static let clockSkew = Duration.seconds(30)
    /// Characters of a `jti`.
    package static let longestID = 256

    /// An unnamed type is what most libraries write; a request object, a proof or an access token is none.
    static let tokenTypes: Set<String> = ["jwt", "client-authentication+jwt"]

    let id: String
    /// From when on it counts no more, and need not be remembered.
    let expiresAt: Instant

    /// Checks the claims of a rightly signed assertion.
    /// - Throws: ``TokenError`` `claims`, `wrongIssuer`, `wrongAudience`, `expired` or `notYetValid`.
    init(
        _ claims: ClaimReader,
        of client: String,
        for audiences: Set<String>,
        at now: Instant
    ) throws(TokenError) {
        // RFC 7523 §3 items 1 and 2: for the authentication of a client both are its id.
        guard try claims.string("iss") == client, try claims.string("sub") == client else { throw .wrongIssuer }
        // Item 3. One that names another server beside us can be used there and here, by whichever gets it first: all of
        // them have to be ours.
        let named = try claims.audiences()
        guard !named.isEmpty, named.isSubset(of: audiences) else { throw .wrongAudience }
        // Items 4 to 6.
        let issuedAt = try claims.optionalFractionalInstant("iat")
        let latest = now + Self.clockSkew
        guard issuedAt.map({ $0 <= latest }) ?? true else { throw .notYetValid }
        guard try claims.optionalFractionalInstant("nbf").map({ $0 <= latest }) ?? true else { throw .notYetValid }
        var end = try claims.fractionalInstant("exp")
        // Several libraries write an hour. What says when it was made is good for ten minutes from then on; what doesn't
        // must not lie further ahead.
        if let issuedAt { end = min(end, issuedAt + Self.longestLife) }
        guard end <= latest + Self.longestLife else { throw .claims }
        expiresAt = end + Self.clockSkew
        guard now < expiresAt else { throw .expired }
        // Item 7: it is required here, as each counts once.
        id = try claims.string("jti")
        guard id.utf8.count <= Self.longestID else { throw .claims }
    }
}
