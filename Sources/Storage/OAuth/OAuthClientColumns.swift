import Kernel
import OAuth

/// The columns of an OAuth client, in one order.
///
/// Lists are texts with spaces between: no URI, grant or scope has one.
enum OAuthClientColumns {
    static let selected = """
        id, name, origin, is_enabled, authentication, keys, grants, redirect_uris, post_logout_redirect_uris, scopes,
        resources, requires_pushed_requests, requires_dpop, requires, delivery, notification_endpoint,
        requires_signed_requests, created_at, id_token_algorithm, id_token_claims
        """

    static func values(of stored: StoredOAuthClient) -> [ColumnValue] {
        let client = stored.client
        return [
            client.id.column, client.name.column, client.origin.rawValue.column, client.isEnabled.column,
            client.authentication.name.column, client.authentication.keys.column(\.column),
            client.grants.map(\.rawValue).sorted().joined(separator: " ").column,
            client.redirectURIs.joined(separator: " ").column,
            client.postLogoutRedirectURIs.joined(separator: " ").column, client.scopes.text.column,
            client.resources.joined(separator: " ").column, client.requiresPushedRequests.column,
            client.requiresDPoP.column, client.requires.rawValue.column,
            (client.backchannel?.delivery.rawValue).column(\.column),
            (client.backchannel?.notificationEndpoint).column(\.column),
            (client.backchannel?.requiresSignedRequests ?? false).column, stored.createdAt.column,
            client.identityAlgorithm.column(\.rawValue.column),
            client.identityClaims.column,
        ]
    }

    /// `secrets`: of the client with that id.
    static func read(
        _ columns: inout ColumnReader,
        secrets: (String) throws -> [SecretHash]
    ) throws -> StoredOAuthClient {
        let id = try columns.text()
        let name = try columns.text()
        let origin = try columns.value(OAuthClient.Origin.self)
        let isEnabled = try columns.integer() == 1
        let (way, keys) = (try columns.text(), columns.optionalText())
        let grants = try grants(try columns.text())
        let (redirectURIs, postLogout) = (try list(&columns), try list(&columns))
        let scopes = ScopeSet(Set(try list(&columns)))
        let resources = try list(&columns)
        let (isPushed, isBound) = (try columns.integer() == 1, try columns.integer() == 1)
        let requires = try columns.value(RequiredProof.self)
        let (backchannel, createdAt) = (try backchannel(&columns), try columns.instant())
        let algorithm = try columns.optionalValue(IdentityAlgorithm.self)
        let claims = Set(identityClaims: try columns.text())
        let client = OAuthClient(
            id: id,
            name: name,
            origin: origin,
            isEnabled: isEnabled,
            authentication: try authentication(way, keys) { try secrets(id) },
            grants: grants,
            redirectURIs: redirectURIs,
            postLogoutRedirectURIs: postLogout,
            scopes: scopes,
            audience: id,
            resources: resources,
            requiresPushedRequests: isPushed,
            requiresDPoP: isBound,
            requires: requires,
            backchannel: backchannel,
            identityAlgorithm: algorithm,
            identityClaims: claims
        )
        return StoredOAuthClient(client: client, createdAt: createdAt)
    }

    private static func list(_ columns: inout ColumnReader) throws -> [String] {
        try columns.text().split(separator: " ").map(String.init)
    }

    private static func grants(_ text: String) throws -> Set<OAuthClient.GrantType> {
        Set(
            try text.split(separator: " ").map { word in
                guard let grant = OAuthClient.GrantType(rawValue: String(word)) else {
                    throw StoreFailure.corrupt(cause: "an OAuth client's grants can't be read")
                }
                return grant
            }
        )
    }

    private static func authentication(
        _ way: String,
        _ keys: String?,
        _ secrets: () throws -> [SecretHash]
    ) throws -> OAuthClient.Authentication {
        switch (way, keys) {
        case ("none", nil): .none
        case ("secret", nil): .secret(try secrets())
        case ("private_key_jwt", let keys?): .privateKeyJWT(ClientKeySet(document: keys))
        default: throw StoreFailure.corrupt(cause: "an OAuth client's authentication can't be read")
        }
    }

    private static func backchannel(_ columns: inout ColumnReader) throws -> OAuthClient.Backchannel? {
        let delivery = try columns.optionalValue(OAuthClient.Backchannel.Delivery.self)
        let endpoint = columns.optionalText()
        let isSigned = try columns.integer() == 1
        return delivery.map {
            OAuthClient.Backchannel(delivery: $0, notificationEndpoint: endpoint, requiresSignedRequests: isSigned)
        }
    }
}

extension Set<IdentityClaim> {
    /// Their names with a space between two.
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
