package import OAuth
import Sessions

/// The config's OAuth clients. They are made after the config is read, because a key of the key folder hashes their
/// secrets.
extension Settings {
    /// `secrets`: hashes the secrets of the config.
    package func oauthClients(_ secrets: ClientSecrets) -> [OAuthClient] {
        clients.compactMap { client in client.oauth.map { client.oauthClient($0, secrets) } }
    }

    /// The rule for the endpoints of logout tokens and of CIBA pings and pushes, for clients of the config and of the database.
    package var notificationEndpoints: NotificationEndpointRule { mode == .laptop ? .laptop : .secure }

    /// The ids that no other client may have.
    ///
    /// The tokens of such a client would pass as those of a client of the config.
    package var reservedClientNames: Set<String> {
        Set(clients.map(\.id)).union(clients.map(\.audience)).union([issuer])
    }
}

extension ClientSettings {
    fileprivate func oauthClient(_ oauth: OAuthClientSettings, _ secrets: ClientSecrets) -> OAuthClient {
        var client = oauth.client
        client.id = id
        client.name = name
        client.access.audience = audience
        client.authentication = oauth.authentication(secrets)
        client.access.grants = Set(oauth.grants)
        client.access.scopes = ScopeSet(Set(oauth.scopes))
        client.tokens.accessTokenLifetime = accessTokenLifetime
        client.tokens.refreshTokenLifetime = refresh.idleLifetime
        client.tokens.sessionLifetime = refresh.absoluteLifetime
        client.authorization.upstream = upstream
        client.tokens.identityClaims = Set(oauth.idTokenClaims)
        return client
    }
}

extension OAuthClientSettings {
    fileprivate func authentication(_ secrets: ClientSecrets) -> OAuthClient.Authentication {
        switch authentication {
        case .none: .none
        case .secret: .secret([secret, earlierSecret].compactMap { $0.map(secrets.hash) })
        case .privateKeyJWT: .privateKeyJWT(ClientKeySet(document: keys?.document ?? ""))
        }
    }
}
