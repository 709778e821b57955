import Hummingbird
import Kernel
package import OAuth

/// Who a request to an OAuth endpoint comes from: its credentials out of the header and the form (RFC 6749 §2.3.1, RFC 7521
/// §4.2), looked at by ``ClientAuthenticator``.
package struct ClientReader: Sendable {
    private let authenticator: ClientAuthenticator
    private let audiences: Set<String>
    private let limits: ClientLimits?
    private let addresses: ClientAddresses
    private let environment: Environment

    /// - Parameters:
    ///   - authenticator: Says whether they are good.
    ///   - audiences: What an assertion may be for: the issuer, and the addresses of the endpoints.
    ///   - limits: What bounds failures; none where it is `nil`, for benches.
    ///   - addresses: Where requests come from.
    ///   - environment: The time.
    package init(
        authenticator: ClientAuthenticator,
        audiences: Set<String>,
        limits: ClientLimits?,
        addresses: ClientAddresses,
        environment: Environment
    ) {
        self.authenticator = authenticator
        self.audiences = audiences
        self.limits = limits
        self.addresses = addresses
        self.environment = environment
    }

    /// The client that the request comes from, shown or, if it is public, named.
    ///
    /// `isBrokered`: whether an upstream answers for its client at this address. Everywhere else such a client is refused:
    /// what it got of us its next request would tell to the upstream.
    /// - Throws: ``OAuthError`` `invalid_client`, `invalid_request` or `unauthorized_client`; ``APIError`` 429 where a client
    ///   failed too often from there.
    func read(
        _ request: Request,
        _ context: APIContext,
        form: OAuthForm,
        isBrokered: Bool = false
    ) throws -> AuthenticatedClient {
        let client = try authenticate(request, context, form: form)
        guard isBrokered || client.client.upstream == nil else { throw Self.brokered }
        return client
    }

    /// What revocation (RFC 7009 §2.1) and introspection (RFC 7662 §2.1) are asked: about a token, by a client that was read as
    /// above.
    func inquiry(_ request: Request, _ context: APIContext) async throws -> (client: OAuthClient, token: String) {
        let form = try await OAuthForm(body: request)
        let client = try read(request, context, form: form).client
        return (client, try form.required("token"))
    }

    /// What a client of an upstream is told where we would have to answer for it.
    static let brokered = OAuthError(
        .unauthorizedClient,
        "An upstream answers for this client: send its requests to /authorize, /token and /token/refresh."
    )

    private func authenticate(
        _ request: Request,
        _ context: APIContext,
        form: OAuthForm
    ) throws -> AuthenticatedClient {
        let credentials = ClientCredentials(
            basic: Self.authorizationHeader(request),
            clientID: form["client_id"],
            clientSecret: form["client_secret"],
            assertionType: form["client_assertion_type"],
            assertion: form["client_assertion"],
            audiences: audiences
        )
        let attempt = limits?.attempt(of: credentials, from: addresses.client(of: request, context))
        if let attempt { try limits?.admit(attempt) }
        do throws(OAuthError) {
            return try authenticator.authenticate(credentials, at: environment.now())
        } catch {
            if let attempt, error.code == .invalidClient { limits?.noteFailure(attempt) }
            throw error
        }
    }

    /// The header Authorization, unless it is a person's token: apps send a stale one everywhere, and it shows no client.
    private static func authorizationHeader(_ request: Request) -> String? {
        ShownToken(request) == nil ? request.headers[.authorization] : nil
    }
}
