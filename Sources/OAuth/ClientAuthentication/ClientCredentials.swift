/// What a request brought of its client: nothing of it is believed before ``ClientAuthenticator`` has looked.
package struct ClientCredentials: Sendable {
    /// The header Authorization as it came.
    package var basic: String?
    /// `client_id` of the form.
    package var clientID: String?
    /// `client_secret` of the form.
    package var clientSecret: String?
    /// `client_assertion_type`.
    package var assertionType: String?
    /// `client_assertion`.
    package var assertion: String? { didSet { token = Self.token(assertion) } }
    /// The assertion taken apart, once for all who look at it; `nil` for what is none.
    private(set) var token: ClientToken?
    /// What the assertion's `aud` may be: the issuer, and the address of the endpoint and of the token endpoint.
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
    /// Whom the request says that it comes from, for what counts failures; worth nothing else.
    package var namedClient: String? {
        if let clientID { return clientID }
        if let basic { return BasicCredentials(basic)?.id }
        return token?.unverified("sub")
    }

    private static func token(_ assertion: String?) -> ClientToken? {
        assertion.flatMap { try? ClientToken(parsing: $0, types: ClientAssertion.tokenTypes) }
    }
}
