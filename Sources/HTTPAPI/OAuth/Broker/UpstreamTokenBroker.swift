import CodeFlow
import Hummingbird
import Kernel
import OAuth

/// The token endpoint for the clients of an upstream: it adds the client secret that those apps cannot keep.
struct UpstreamTokenBroker: Sendable {
    let broker: UpstreamServices

    /// Forwards the token request of an authenticated client to its upstream.
    ///
    /// Only the parameters named here reach the upstream, never a `client_secret` that the app sends.
    /// - Throws: The errors of ``GrantHandler/answer(_:client:request:)``.
    func answer(_ form: OAuthForm, client authenticated: AuthenticatedClient, request: Request) async throws -> Response
    {
        guard let upstream = authenticated.client.authorization.upstream.flatMap({ broker.upstreams[$0] }) else {
            throw OAuthError(.temporarilyUnavailable, "The upstream is switched off.")
        }
        let name = try form.required("grant_type")
        guard let grant = OAuthClient.GrantType(rawValue: name), authenticated.client.access.grants.contains(grant)
        else {
            throw OAuthError(.unsupportedGrantType, "This client cannot use this grant_type here.")
        }
        switch grant {
        case .authorizationCode:
            let shown = PresentedCode(
                code: Secret(try form.required("code")),
                redirectURI: form["redirect_uri"],
                verifier: try form.verifier().map { Secret($0) }
            )
            return OAuthReply.tokens(
                TokenBody(try await broker.service.redeem(shown, client: authenticated.client, at: upstream))
            )
        case .refreshToken:
            let token = Secret(try form.required("refresh_token"))
            return OAuthReply.tokens(
                TokenBody(try await broker.service.refresh(token, scope: form["scope"], at: upstream))
            )
        case .ciba, .deviceCode:
            throw OAuthError(.unsupportedGrantType, "The authorization server behind this one has no such grant.")
        }
    }

    /// RFC 6749 §5.1.
    private struct TokenBody: Encodable {
        let accessToken: String
        let tokenType = GrantedTokens.type
        let expiresIn: Int?
        let refreshToken: String?
        let scope: String?

        init(_ tokens: GrantedTokens) {
            accessToken = tokens.accessToken.expose()
            expiresIn = tokens.expiresIn
            refreshToken = tokens.refreshToken?.expose()
            scope = tokens.scope
        }

        enum CodingKeys: String, CodingKey {
            case accessToken = "access_token"
            case tokenType = "token_type"
            case expiresIn = "expires_in"
            case refreshToken = "refresh_token"
            case scope
        }
    }
}
