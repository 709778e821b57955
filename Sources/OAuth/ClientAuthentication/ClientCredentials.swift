/// The credentials in a request, not trusted before ``ClientAuthenticator`` has checked them.
package struct ClientCredentials: Sendable {
    /// The header Authorization as received.
    package var basic: String?
    /// `client_id` of the form.
    package var clientID: String?
    /// `client_secret` of the form.
    package var clientSecret: String?
    /// `client_assertion_type`.
    package var assertionType: String?
    /// `client_assertion`.
    package var assertion: String? { didSet { token = Self.token(assertion) } }
    /// The parsed assertion; `nil` if it is malformed.
    private(set) var token: ClientToken?
    /// The accepted values of the assertion's `aud`: the issuer, and the addresses of the endpoint and the token endpoint.
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
    /// The unverified name of the client, only for counting failures.
    package var namedClient: String? {
        if let clientID { return clientID }
        if let basic { return BasicCredentials(basic)?.id }
        return token?.unverified("sub")
    }

    private static func token(_ assertion: String?) -> ClientToken? {
        assertion.flatMap { try? ClientToken(parsing: $0, types: ClientAssertion.tokenTypes) }
    }
}
