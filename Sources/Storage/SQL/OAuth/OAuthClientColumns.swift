import Kernel
import OAuth

/// The columns of an OAuth client, in the order of their values.
///
/// Lists are texts separated by spaces: no URI, grant or scope contains a space.
enum OAuthClientColumns {
    static let selected = """
        id, name, origin, is_enabled, authentication, keys, grants, redirect_uris, post_logout_redirect_uris, scopes,
        resources, requires_pushed_requests, requires_dpop, requires, delivery, notification_endpoint,
        requires_signed_requests, created_at, id_token_algorithm, id_token_claims, logout_uri, requires_logout_session,
        ways, theme
        """

    static func values(of stored: StoredOAuthClient) -> [ColumnValue] {
        let client = stored.client
        return [
            client.id.column, client.name.column, client.origin.rawValue.column, client.isEnabled.column,
            client.authentication.name.column, client.authentication.keys.column(\.column),
            client.access.grants.map(\.rawValue).sorted().spaced.column,
            client.authorization.redirectURIs.spaced.column,
            client.authorization.postLogoutRedirectURIs.spaced.column, client.access.scopes.text.column,
            client.access.resources.spaced.column, client.authorization.requiresPushedRequests.column,
            client.tokens.requiresDPoP.column, client.authorization.requires.rawValue.column,
            (client.authorization.backchannel?.delivery.rawValue).column(\.column),
            (client.authorization.backchannel?.notificationEndpoint).column(\.column),
            (client.authorization.backchannel?.requiresSignedRequests ?? false).column, stored.createdAt.column,
            client.tokens.identityAlgorithm.column(\.rawValue.column),
            client.tokens.identityClaims.column, (client.tokens.logout?.uri).column(\.column),
            (client.tokens.logout?.isSessionRequired ?? false).column, client.authorization.ways.text.column,
            (client.appearance.theme?.text).column(\.column),
        ]
    }

    /// Reads a client; `secrets`: returns the secrets of the client with an id.
    static func read(
        _ columns: inout ColumnReader,
        secrets: (String) throws -> [SecretHash]
    ) throws -> StoredOAuthClient {
        let id = try columns.text("id")
        var client = OAuthClient(
            id: id,
            name: try columns.text("name"),
            origin: try columns.value("origin"),
            isEnabled: try columns.flag("is_enabled"),
            authentication: try authentication(&columns) { try secrets(id) },
            access: OAuthClient.Access(
                grants: Set(try columns.words("grants").map(grant)),
                scopes: ScopeSet(Set(try columns.words("scopes"))),
                audience: id,
                resources: try columns.words("resources")
            ),
            authorization: OAuthClient.AuthorizationRules(
                redirectURIs: try columns.words("redirect_uris"),
                postLogoutRedirectURIs: try columns.words("post_logout_redirect_uris"),
                requiresPushedRequests: try columns.flag("requires_pushed_requests"),
                requires: try columns.value("requires"),
                ways: try ways(columns.text("ways")),
                backchannel: try backchannel(&columns)
            ),
            tokens: OAuthClient.TokenRules(
                requiresDPoP: try columns.flag("requires_dpop"),
                identityAlgorithm: try columns.optionalValue("id_token_algorithm"),
                identityClaims: Set(identityClaims: try columns.text("id_token_claims")),
                logout: try columns.optionalText("logout_uri").map {
                    LogoutEndpoint(uri: $0, isSessionRequired: try columns.flag("requires_logout_session"))
                }
            )
        )
        client.appearance.theme = try columns.optionalText("theme").map(theme)
        return StoredOAuthClient(client: client, createdAt: try columns.instant("created_at"))
    }

    private static func grant(_ word: String) throws -> OAuthClient.GrantType {
        guard let grant = OAuthClient.GrantType(rawValue: word) else {
            throw StoreError.corrupt(cause: "an OAuth client's grants can't be read")
        }
        return grant
    }

    private static func ways(_ text: String) throws -> Set<SignInWay> {
        guard let ways = Set<SignInWay>(parsing: text) else {
            throw StoreError.corrupt(cause: "an OAuth client's ways to sign in can't be read")
        }
        return ways
    }

    private static func theme(_ text: String) throws -> ClientTheme {
        guard let theme = ClientTheme(parsing: text) else {
            throw StoreError.corrupt(cause: "an OAuth client's theme can't be read")
        }
        return theme
    }

    private static func authentication(
        _ columns: inout ColumnReader,
        _ secrets: () throws -> [SecretHash]
    ) throws -> OAuthClient.Authentication {
        switch (try columns.text("authentication"), try columns.optionalText("keys")) {
        case ("none", nil): .none
        case ("secret", nil): .secret(try secrets())
        case ("private_key_jwt", let keys?): .privateKeyJWT(ClientKeySet(document: keys))
        default: throw StoreError.corrupt(cause: "an OAuth client's authentication can't be read")
        }
    }

    private static func backchannel(_ columns: inout ColumnReader) throws -> OAuthClient.Backchannel? {
        guard let delivery = try columns.optionalValue("delivery", OAuthClient.Backchannel.Delivery.self) else {
            return nil
        }
        return OAuthClient.Backchannel(
            delivery: delivery,
            notificationEndpoint: try columns.optionalText("notification_endpoint"),
            requiresSignedRequests: try columns.flag("requires_signed_requests")
        )
    }
}

extension Set<IdentityClaim> {
    /// The claims' names, separated by spaces.
    var column: ColumnValue { map(\.rawValue).sorted().spaced.column }

    init(identityClaims text: String) { self = Set(text.words.compactMap(IdentityClaim.init)) }
}

extension OAuthClient.Authentication {
    fileprivate var name: String {
        switch self {
        case .none: "none"
        case .secret: "secret"
        case .privateKeyJWT: "private_key_jwt"
        }
    }

    fileprivate var keys: String? {
        switch self {
        case .none, .secret: nil
        case .privateKeyJWT(let keys): keys.document
        }
    }
}
