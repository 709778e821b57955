/// The credentials in a request.
///
/// They are not trusted before ``ClientAuthenticator`` has checked them.
package struct ClientCredentials: Sendable {
    /// The header field Authorization as received.
    package var basic: String?
    /// `client_id` from the form.
    package var clientID: String?
    /// `client_secret` from the form.
    package var clientSecret: String?
    /// `client_assertion_type` from the form.
    package var assertionType: String?
    /// `client_assertion` from the form.
    package var assertion: String? { didSet { token = Self.token(assertion) } }
    /// The parsed assertion; `nil` if it is malformed.
    private(set) var token: ClientToken?
    /// The accepted values of the assertion's `aud`: the issuer, and the addresses of this endpoint and of the token
    /// endpoint.
    package var audiences: Set<String>

    package init(
        basic: String? = nil,
        clientID: String? = nil,
        clientSecret: String? = nil,
        assertionType: String? = nil,
        assertion: String? = nil,
        audiences: Set<String>
    ) {
        self.basic = basic
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.assertionType = assertionType
        self.assertion = assertion
        token = Self.token(assertion)
        self.audiences = audiences
    }
}

extension ClientCredentials {
    /// The client that the request names, unverified.
    ///
    /// Use it only to count failures.
    package var namedClient: String? {
        if let clientID { return clientID }
        if let basic { return BasicCredentials(basic)?.id }
        return token?.unverified("sub")
    }

    private static func token(_ assertion: String?) -> ClientToken? {
        assertion.flatMap { try? ClientToken(parsing: $0, types: ClientAssertion.tokenTypes) }
    }
}
