import HTTPTypes
import Hummingbird
import Kernel
package import OAuth
import Sessions
package import SignIn
import TokenReading
package import Tokens

/// Token revocation (RFC 7009).
///
/// Revoking any token ends its session, and with it all tokens of the session.
package struct RevocationAPI: Sendable {
    private let clients: ClientReader
    private let verifier: TokenVerifier
    private let refreshTokens: RefreshTokenReader
    private let grants: any OAuthGrantStore
    private let signOut: SignOut
    private let authorization: AuthorizationService
    private let environment: Environment

    /// `refreshTokens` reads those of the authorization server's clients.
    package init(
        clients: ClientReader,
        verifier: TokenVerifier,
        refreshTokens: RefreshTokenReader,
        grants: any OAuthGrantStore,
        signOut: SignOut,
        authorization: AuthorizationService,
        environment: Environment
    ) {
        self.clients = clients
        self.verifier = verifier
        self.refreshTokens = refreshTokens
        self.grants = grants
        self.signOut = signOut
        self.authorization = authorization
        self.environment = environment
    }

    package var routes: [Route] {
        [Route(.post, "/oauth/revoke", access: .everybody(heeding: .clientAuthentication), use: revoke)]
    }

    /// Ignores `token_type_hint`: the token names its own kind (RFC 7009 §2.1).
    private func revoke(_ request: Request, _ context: APIContext) async throws -> Response {
        try await OAuthReply.guarding(request) {
            let (client, token) = try await clients.inquiry(request, context)
            // RFC 7009 §2.2: an invalid or expired token counts as revoked.
            if let session = session(of: token), let grant = try await grants.find(session) {
                // RFC 7009 §2.1.
                guard grant.clientID == client.id else {
                    throw OAuthError(.unauthorizedClient, "The token was issued to another client.")
                }
                try await signOut.end(session, of: client, with: authorization)
            }
            return OAuthReply.tokens([String: String]())
        }
    }

    private func session(of token: String) -> SessionID? {
        refreshTokens.found(token)?.claims.session
            ?? (try? verifier.inspectAccess(token, now: environment.now()))?.session
    }
}
