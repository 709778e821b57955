import OAuth
import Tokens
import Web

/// The endpoints by which clients get, inspect and revoke tokens, and discover the server.
extension PublicAPI {
    /// `furtherGrants`: The grants besides the authorization code and the refresh token.
    func tokenRoutes(_ furtherGrants: any GrantHandler...) -> [Route] {
        let (oauth, sessions) = (services.oauth, services.sessions)
        let issued = IssuedTokenReader(
            clients: clientReader,
            verifier: verifier,
            refreshTokens: refreshTokenReader,
            grants: oauth.grants,
            environment: environment
        )
        let grants = [codeGrant, refreshTokenGrant] + furtherGrants
        let broker = oauth.upstreams.map { UpstreamTokenBroker(broker: $0) }
        let endpoint = TokenEndpoint(clients: clientReader, grants: grants, broker: broker)
        let revocation = RevocationAPI(
            tokens: issued,
            signOut: sessions.signOut,
            authorization: oauth.authorization.service
        )
        let introspection = IntrospectionAPI(
            tokens: issued,
            accepted: acceptedClients,
            sessions: sessions.sessions,
            refreshes: oauth.refreshes,
            issuer: server.issuer
        )
        let logout = LogoutAPI(
            clients: oauth.clients.directory,
            verifier: verifier,
            grants: oauth.grants,
            sessions: sessions.sessions,
            browser: browserProof,
            signOut: sessions.signOut,
            environment: environment,
            pages: LogoutPages(root: server.root)
        )
        return endpoint.routes + revocation.routes + introspection.routes + logout.routes
            + UserInfoAPI(accounts: services.accounts.accounts).routes
            + discovery(Set(grants.map { $0.type })).routes
    }

    private var codeGrant: any GrantHandler {
        CodeGrant(
            codes: services.oauth.authorization.redemption,
            gate: dpop,
            tokens: services.sessions.tokens
        )
    }

    private var refreshTokenGrant: any GrantHandler {
        RefreshTokenGrant(
            service: services.oauth.refreshes,
            reader: refreshTokenReader,
            grants: services.oauth.grants,
            tokens: services.sessions.tokens,
            gate: dpop,
            limits: limits.refreshes
        )
    }

    /// Has no limits: every text except a valid token of this server gets `invalid_grant` (RFC 6749 §5.2).
    private var refreshTokenReader: RefreshTokenReader {
        RefreshTokenReader(verifier: verifier, limits: nil, use: .oauth, environment: environment)
    }

    private func discovery(_ grants: Set<OAuthClient.GrantType>) -> DiscoveryAPI {
        DiscoveryAPI { [server, keys = services.core.keys, oauth = configuration.oauth] in
            ServerMetadata(
                ServerMetadata.Description(
                    issuer: server.issuer,
                    publicURL: server.publicURL,
                    grants: grants,
                    scopes: ScopeSet(ClientMetadata.usualScopes),
                    takesRegistrations: oauth.takesRegistrations,
                    readsClaimsParameter: true,
                    signingAlgorithms: keys.identityAlgorithms,
                    clientAlgorithms: ClientAlgorithm.allCases.map(\.rawValue),
                    languages: server.localization.current.tags
                )
            )
        }
    }
}
