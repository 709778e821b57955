import Accounts
import Devices
import HTTPAPI
import Kernel
import OAuth
import Sessions
import Settings
import SignIn
import Storage
import Tokens

/// The parts of the authorization server that the token endpoints need.
struct OAuthTokenParts: Sendable {
    let directory: OAuthClientDirectory
    let clients: ClientReader
    let authorization: AuthorizationService
    /// The grants beside code and refresh token that are switched on.
    let furtherGrants: [any GrantHandler]
    let broker: (any TokenBroker)?
    /// Whether clients register themselves.
    let takesRegistrations: Bool
    /// Whether an authorization request may have `claims`.
    let readsClaimsParameter: Bool
}

/// The endpoints of tokens: what clients get, ask about, end, and find the server by.
extension PublicAPI {
    /// Returns the routes that the config asks for; none while the authorization server is off.
    ///
    /// `furtherGrants`: as in ``OAuthTokenParts``.
    func oauthTokenRoutes(
        _ settings: Settings,
        authorization: AuthorizationService,
        furtherGrants: [any GrantHandler]
    ) -> [Route] {
        guard settings.oauth.enabled else { return [] }
        let parts = OAuthTokenParts(
            directory: composition.oauth.directory,
            clients: clientReader(settings),
            authorization: authorization,
            furtherGrants: furtherGrants,
            broker: tokenBroker,
            takesRegistrations: settings.oauth.registration,
            readsClaimsParameter: true
        )
        return tokenRoutes(settings, parts)
    }

    func tokenRoutes(_ settings: Settings, _ parts: OAuthTokenParts) -> [Route] {
        let grants = SQLiteOAuthGrantStore(composition.database)
        let (reader, refreshes) = (oauthRefreshReader(settings), oauthRefreshes(parts.directory))
        let handlers: [any GrantHandler] =
            [
                CodeGrant(
                    codes: CodeRedemption(
                        authorization: parts.authorization,
                        door: composition.door,
                        unitOfWork: composition.unitOfWork
                    ),
                    gate: dpop(settings),
                    tokens: composition.tokens
                ),
                refreshTokenGrant(settings, reader: reader, refreshes: refreshes),
            ] + parts.furtherGrants
        let revocation = RevocationAPI(
            clients: parts.clients,
            verifier: verifier(settings),
            refreshTokens: reader,
            grants: grants,
            signOut: signOut,
            authorization: parts.authorization,
            environment: composition.environment
        )
        let introspection = IntrospectionAPI(
            clients: parts.clients,
            accepted: acceptedClients(settings) { parts.directory.client($0) },
            verifier: verifier(settings),
            refreshTokens: reader,
            grants: grants,
            sessions: composition.sessions,
            refreshes: refreshes,
            issuer: settings.issuer,
            environment: composition.environment
        )
        let logout = LogoutAPI(
            clients: parts.directory,
            verifier: verifier(settings),
            grants: grants,
            sessions: composition.sessions,
            browsers: composition.passkeys.browsers,
            cookies: webCookies(settings),
            signOut: signOut,
            environment: composition.environment
        )
        return TokenEndpoint(clients: parts.clients, grants: handlers, broker: parts.broker).routes
            + revocation.routes + introspection.routes + logout.routes
            + UserInfoAPI(accounts: composition.accounts).routes
            + discovery(settings, parts, grants: Set(handlers.map { $0.type })).routes
    }

    /// Returns a reader without limits: any other text than this server's token is `invalid_grant` (RFC 6749 §5.2).
    private func oauthRefreshReader(_ settings: Settings) -> RefreshTokenReader {
        RefreshTokenReader(verifier: verifier(settings), limits: nil, use: .oauth, environment: composition.environment)
    }

    private func refreshTokenGrant(
        _ settings: Settings,
        reader: RefreshTokenReader,
        refreshes: RefreshService
    ) -> RefreshTokenGrant {
        RefreshTokenGrant(
            service: refreshes,
            reader: reader,
            grants: SQLiteOAuthGrantStore(composition.database),
            tokens: composition.tokens,
            gate: dpop(settings),
            limits: refreshLimits
        )
    }

    /// The families of refresh tokens, under the policies of the authorization server's clients: of one that is disabled or
    /// gone there is none, and its sessions end.
    private func oauthRefreshes(_ directory: OAuthClientDirectory) -> RefreshService {
        RefreshService(
            environment: composition.environment,
            unitOfWork: composition.unitOfWork,
            store: composition.sessionStore,
            subjects: RefreshSubjectsAdapter(
                accounts: SQLiteAccountStore(composition.database),
                devices: DeviceLinks(
                    environment: composition.environment,
                    unitOfWork: composition.unitOfWork,
                    store: composition.deviceLinks
                ),
                registered: composition.registered
            ),
            sessions: composition.sessions,
            ending: composition.ending,
            listening: composition.listening
        ) { id in
            guard let client = directory.client(id), client.isEnabled else { return nil }
            return RefreshPolicy(
                rotation: .always,
                idleLifetime: client.refreshTokenLifetime,
                absoluteLifetime: client.sessionLifetime
            )
        }
    }

    private func discovery(
        _ settings: Settings,
        _ parts: OAuthTokenParts,
        grants: Set<OAuthClient.GrantType>
    ) -> DiscoveryAPI {
        DiscoveryAPI { [keys = composition.keys] in
            ServerMetadata(
                ServerMetadata.Description(
                    issuer: settings.issuer,
                    publicURL: settings.publicURL,
                    grants: grants,
                    scopes: ScopeSet(ClientMetadata.usualScopes),
                    takesRegistrations: parts.takesRegistrations,
                    readsClaimsParameter: parts.readsClaimsParameter,
                    signingAlgorithms: keys.identityAlgorithms,
                    clientAlgorithms: ClientAlgorithm.allCases.map(\.rawValue),
                    languages: DiscoveryAPI.languages
                )
            )
        }
    }
}
