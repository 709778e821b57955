import Hummingbird
import Kernel
import OAuth

/// Identifies the client of a request to an OAuth endpoint.
///
/// The credentials come from the header and the form (RFC 6749 §2.3.1, RFC 7521 §4.2). ``ClientAuthenticator`` checks
/// them.
struct ClientReader: Sendable {
    let authenticator: ClientAuthenticator
    /// The audiences that an assertion may have: the issuer, and the addresses of the endpoints.
    let audiences: Set<String>
    let limits: ClientLimits?
    let addresses: ClientAddresses
    /// Stores the assertions that clients used.
    let marks: UsedMarks
    let environment: Environment

    /// Returns the client that sent the request: authenticated, or identified by its id if it is public.
    ///
    /// `isBrokered`: Whether this path forwards requests of an upstream's clients. Other paths refuse such a client,
    /// because its next request would send this server's tokens to the upstream.
    /// - Throws: ``OAuthError`` `invalid_client`, `invalid_request` or `unauthorized_client`; ``APIError`` 429 after
    ///   too many failures of the client from this address.
    func read(
        _ request: Request,
        _ context: APIContext,
        form: OAuthForm,
        isBrokered: Bool = false
    ) async throws -> AuthenticatedClient {
        let credentials = ClientCredentials(
            basic: Self.authorizationHeader(request),
            clientID: form["client_id"],
            clientSecret: form["client_secret"],
            assertionType: form["client_assertion_type"],
            assertion: form["client_assertion"],
            audiences: audiences
        )
        let attempt = limits?.attempt(
            of: credentials,
            isKnown: credentials.namedClient.map(authenticator.knows) ?? false,
            from: addresses.client(of: request, context)
        )
        if let attempt { try limits?.admit(attempt) }
        let authenticated: AuthenticatedClient
        do {
            authenticated = try authenticator.authenticate(credentials, at: environment.now())
            try await use(authenticated)
        } catch let error as OAuthError {
            if let attempt, error.code == .invalidClient { try await limits?.noteFailure(attempt) }
            throw error
        }
        guard isBrokered || authenticated.client.authorization.upstream == nil else { throw Self.brokered }
        return authenticated
    }

    /// Uses up the client's assertion, if it sent one.
    ///
    /// In a unit of its own: an assertion authenticates one request, whatever the request asks for and whether it is
    /// granted. So a failed attempt stays counted, and introspection needs no further rule.
    private func use(_ authenticated: AuthenticatedClient) async throws {
        guard let assertion = authenticated.assertion else { return }
        guard try await marks.use(assertion) else { throw ClientAuthenticator.refusal }
    }

    /// Reads the client and the token of a revocation (RFC 7009 §2.1) or introspection request (RFC 7662 §2.1).
    func inquiry(_ request: Request, _ context: APIContext) async throws -> (client: OAuthClient, token: String) {
        let form = try await OAuthForm(body: request)
        let client = try await read(request, context, form: form).client
        return (client, try form.required("token"))
    }

    /// The error for a client of an upstream at a path that does not forward its requests.
    static let brokered = OAuthError(
        .unauthorizedClient,
        "An upstream answers for this client: send its requests to /authorize, /token and /token/refresh."
    )

    /// Returns the header Authorization, unless it contains a person's token.
    ///
    /// Apps send an expired access token with every request, and an access token authenticates no client.
    private static func authorizationHeader(_ request: Request) -> String? {
        PresentedToken(request) == nil ? request.headers[.authorization] : nil
    }
}
