import HTTPTypes
import Hummingbird
import Kernel
import OAuth
import Sessions
import SignIn
import TokenReading
import Tokens

/// Token introspection (RFC 7662) for the client to which a token was issued, and for the resource server of an access
/// token.
///
/// Other clients get the same answer as for a forged token: they learn nothing about a stolen one (RFC 7662 §4).
struct IntrospectionAPI: Sendable {
    let tokens: IssuedTokenReader
    let accepted: AcceptedClients
    let sessions: SessionService
    /// Finds the token families of the authorization server's clients.
    let refreshes: RefreshService
    let issuer: String

    var routes: [Route] {
        [Route(.post, "/oauth/introspect", access: .everybody(accepting: .clientAuthentication), use: introspect)]
    }

    private func introspect(_ request: Request, _ context: APIContext) async throws -> Response {
        try await OAuthReply.guarding(request) {
            let (client, token) = try await tokens.inquiry(request, context)
            // RFC 7662 §2.1: the caller has to authenticate, and a public client cannot.
            guard client.isConfidential else {
                throw OAuthError(.invalidClient, "A public client can't use introspection.")
            }
            if let found = try await access(token, for: client) { return OAuthReply.tokens(found) }
            return OAuthReply.tokens(try await refresh(token, for: client) ?? Introspection())
        }
    }

    private func access(_ token: String, for client: OAuthClient) async throws -> Introspection? {
        guard let claims = tokens.access(token), client.mayAsk(about: claims),
            accepted.isOfClient(claims),
            try await sessions.isOpen(claims.session, of: claims.account, issuedAt: claims.issuedAt)
        else { return nil }
        return Introspection(claims, issuer: issuer)
    }

    private func refresh(_ token: String, for client: OAuthClient) async throws -> Introspection? {
        guard let claims = tokens.refresh(token), let grant = try await tokens.grant(of: claims.session),
            grant.clientID == client.id, client.getsRefreshToken(for: client.leaves(of: grant.scopes)),
            try await refreshes.isCurrent(claims.rowKey, of: claims.session, client: client.id)
        else { return nil }
        return Introspection(claims, of: grant, scopes: client.leaves(of: grant.scopes), issuer: issuer)
    }
}

extension OAuthClient {
    /// Returns whether the token was issued to the client, or the client is its resource server.
    ///
    /// A client that registered itself chose its own audience, so that its audience does not make it a resource server.
    fileprivate func mayAsk(about claims: AccessClaims) -> Bool {
        switch origin {
        case .config, .added: claims.clientID == id || claims.audience == access.audience
        case .registered: claims.clientID == id
        }
    }
}

/// The answer of RFC 7662 §2.2.
///
/// It is empty for an inactive token, and for a client that may not ask about the token.
private struct Introspection: Encodable {
    var active = false
    var scope: String?
    var clientID: String?
    var tokenType: String?
    var exp: Int64?
    var iat: Int64?
    var sub: String?
    var aud: String?
    var iss: String?
    var jti: String?
    var sid: String?
    /// RFC 9470 §6.2.
    var acr: String?
    var authTime: Int64?
    var amr: [String]?
    /// RFC 9449 §6.2.
    var cnf: [String: String]?

    enum CodingKeys: String, CodingKey {
        case active, scope, exp, iat, sub, aud, iss, jti, sid, acr, amr, cnf
        case clientID = "client_id"
        case tokenType = "token_type"
        case authTime = "auth_time"
    }

    init() {}

    init(_ claims: AccessClaims, issuer: String) {
        active = true
        scope = claims.scopes.map { $0.sorted().joined(separator: " ") }
        clientID = claims.clientID
        tokenType = TokenScheme.of(claims.confirmation?.digest)
        exp = claims.expiresAt.seconds
        iat = claims.issuedAt.seconds
        sub = claims.account.description
        aud = claims.audience
        iss = issuer
        jti = claims.tokenID
        sid = claims.session.description
        acr = claims.contextClass
        authTime = claims.authenticatedAt.seconds
        amr = claims.methods
        cnf = claims.confirmation.map { ["jkt": $0.text] }
    }

    /// Describes a refresh token, without `token_type`, because no header carries refresh tokens.
    init(_ claims: RefreshClaims, of grant: SessionGrant, scopes: ScopeSet, issuer: String) {
        active = true
        scope = scopes.text
        clientID = grant.clientID
        exp = claims.expiresAt.seconds
        iat = claims.issuedAt.seconds
        sub = claims.account.description
        iss = issuer
        sid = claims.session.description
    }
}
