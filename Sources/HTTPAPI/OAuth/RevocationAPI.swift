import HTTPTypes
import Hummingbird
import Kernel
import OAuth
import Sessions
import SignIn
import TokenReading
import Tokens

/// Token revocation (RFC 7009).
///
/// Revoking an access or refresh token ends its session, and with it all tokens of the session.
struct RevocationAPI: Sendable {
    let tokens: IssuedTokenReader
    let signOut: SignOut
    let authorization: AuthorizationService

    var routes: [Route] {
        [Route(.post, "/oauth/revoke", access: .everybody(accepting: .clientAuthentication), use: revoke)]
    }

    /// Ignores `token_type_hint`, because each token shows its own kind (RFC 7009 §2.1).
    private func revoke(_ request: Request, _ context: APIContext) async throws -> Response {
        try await OAuthReply.guarding(request) {
            let (client, token) = try await tokens.inquiry(request, context)
            // RFC 7009 §2.2: an invalid or expired token counts as revoked.
            if let session = tokens.session(of: token), let grant = try await tokens.grant(of: session) {
                // RFC 7009 §2.1.
                guard grant.clientID == client.id else {
                    throw OAuthError(.unauthorizedClient, "The token was issued to another client.")
                }
                try await signOut.end(session, of: client, with: authorization)
            }
            return OAuthReply.tokens([String: String]())
        }
    }
}
