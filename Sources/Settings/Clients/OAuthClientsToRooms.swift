package import OAuth

/// The config's OAuth clients in the room's own type.
extension Settings {
    /// `secrets`: hashes those that stand in the config.
    package func oauthClients(_ secrets: ClientSecrets) -> [OAuthClient] {
        clients.compactMap { client in client.oauth.map { client.oauthClient($0, secrets) } }
    }

    /// Where clients may have pings and pushes of CIBA sent, those of the config and those of the store.
    package var notificationEndpoints: NotificationEndpointRule { mode == .laptop ? .laptop : .secure }

    /// What no other client may be called: its tokens would pass for those of a client of the config.
    package var reservedClientNames: Set<String> {
        Set(clients.map(\.id)).union(clients.map(\.audience)).union([issuer])
    }
}

extension ClientSettings {
    fileprivate func oauthClient(_ oauth: OAuthClientSettings, _ secrets: ClientSecrets) -> OAuthClient {
        OAuthClient(
            id: id,
            name: name,
            origin: .config,
            authentication: oauth.rooms(secrets),
            grants: Set(oauth.grants.compactMap { OAuthClient.GrantType(shortName: $0) }),
            redirectURIs: oauth.redirectURIs,
            postLogoutRedirectURIs: oauth.postLogoutRedirectURIs,
            scopes: ScopeSet(Set(oauth.scopes)),
            audience: audience,
            resources: oauth.resources,
            codeChallenge: oauth.pkce == .required ? .required : .optional,
            requiresPushedRequests: oauth.pushedRequests == .required,
            requiresDPoP: oauth.dpop == .required,
            refreshTokens: oauth.refreshTokens == .always ? .always : .offlineAccess,
            requires: oauth.requires,
            backchannel: oauth.ciba?.backchannel,
            accessTokenLifetime: accessTokenLifetime,
            refreshTokenLifetime: refreshTokenLifetime,
            sessionLifetime: sessionLifetime,
            upstream: upstream,
            identityAlgorithm: oauth.idTokenAlgorithm == .rs256 ? .rs256 : nil,
            identityClaims: Set(oauth.idTokenClaims.compactMap(IdentityClaim.init))
        )
    }
}

extension OAuthClientSettings {
    fileprivate func rooms(_ secrets: ClientSecrets) -> OAuthClient.Authentication {
        switch authentication {
        case .none: .none
        case .secret: .secret([secret, earlierSecret].compactMap { $0.map(secrets.hash) })
        case .privateKeyJWT: .privateKeyJWT(ClientKeySet(document: keys?.document ?? ""))
        }
    }
}

extension CIBASettings {
    fileprivate var backchannel: OAuthClient.Backchannel {
        let delivery: OAuthClient.Backchannel.Delivery =
            switch delivery {
            case .poll: .poll
            case .ping: .ping
            case .push: .push
            }
        return OAuthClient.Backchannel(
            delivery: delivery,
            notificationEndpoint: notificationEndpoint,
            requiresSignedRequests: signedRequests == .required
        )
    }
}
