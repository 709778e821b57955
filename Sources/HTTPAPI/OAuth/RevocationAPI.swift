import HTTPTypes
import Hummingbird
import Kernel
package import OAuth
import Sessions
package import SignIn
import TokenReading
package import Tokens

/// Ending what a client holds (RFC 7009).
///
/// A token stands for its session here: whichever of its tokens is revoked, all of them end at once.
package struct RevocationAPI: Sendable {
    private let clients: ClientReader
    private let verifier: TokenVerifier
    private let refreshTokens: RefreshTokenReader
    private let grants: any OAuthGrantStore
    private let signOut: SignOut
    private let authorization: AuthorizationService
    private let environment: Environment

    /// `refreshTokens`: of the authorization server's clients.
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

    /// `token_type_hint` is not looked at: which kind it is stands in the token (RFC 7009 §2.1).
    private func revoke(_ request: Request, _ context: APIContext) async throws -> Response {
        try await OAuthReply.guarding(request) {
            let (client, token) = try await clients.inquiry(request, context)
            // RFC 7009 §2.2: one that is none, or no longer, is as good as revoked.
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
