import Kernel
import OAuth

/// Checks that the settings of the authorization server's clients fit together.
extension SettingsChecks {
    static func oauth(_ settings: Settings, in reading: inout SettingsReading) {
        var isAnyone = false
        for client in settings.clients {
            guard let oauth = client.oauth else { continue }
            isAnyone = true
            let key = "clients.\(client.id).oauth"
            authentication(oauth, at: key, in: &reading)
            grants(oauth, at: key, in: &reading)
            identityClaims(oauth, at: key, in: &reading)
            ciba(oauth, at: key, notices: settings.notificationEndpoints, in: &reading)
            logout(oauth, at: key, rule: settings.notificationEndpoints, in: &reading)
            requirement(oauth, at: key, mode: settings.mode, in: &reading)
            if oauth.client.authorization.codeChallenge == .optional {
                guard settings.mode == .laptop else {
                    reading.fault("\(key).pkce", "is optional. In production every code needs a code challenge")
                    continue
                }
                reading.warn(
                    "\(key).pkce",
                    "is optional: an attacker can redeem a stolen code"
                )
            }
        }
        if isAnyone, !settings.oauth.enabled {
            reading.warn("oauth.enabled", "is false, so the oauth keys of clients have no effect")
        }
        if settings.oauth.backchannel.interval >= settings.oauth.backchannel.lifetime {
            reading.fault("oauth.cibaInterval", "is not shorter than cibaLifetime")
        }
    }

    private static func authentication(
        _ oauth: OAuthClientSettings,
        at key: String,
        in reading: inout SettingsReading
    ) {
        let secrets = [("secret", oauth.secret), ("earlierSecret", oauth.earlierSecret)]
        for (name, secret) in secrets {
            guard let secret else { continue }
            if oauth.authentication != .secret {
                reading.fault("\(key).\(name)", "is only for authentication: secret")
            } else if !ClientSecrets.isStrong(secret) {
                // The header Authorization carries the secret form-encoded, and not every client encodes it. So only
                // characters that need no encoding are allowed.
                reading.fault(
                    "\(key).\(name)",
                    "has fewer than \(ClientSecrets.minimumLength) characters, or others than letters, digits, - and _. "
                        + "Make one with: openssl rand -hex 32"
                )
            }
        }
        switch oauth.authentication {
        case .none: break
        case .secret:
            if oauth.secret == nil {
                reading.fault("\(key).secret", "is missing. It is required with authentication: secret")
            }
        case .privateKeyJWT:
            if oauth.keys == nil {
                reading.fault("\(key).keys", "is missing. It is required with authentication: private-key-jwt")
            }
        }
        if oauth.keys != nil, oauth.authentication != .privateKeyJWT {
            reading.fault("\(key).keys", "is only for authentication: private-key-jwt")
        }
    }

    private static func grants(_ oauth: OAuthClientSettings, at key: String, in reading: inout SettingsReading) {
        let hasCode = oauth.grants.contains(.authorizationCode)
        if hasCode, oauth.client.authorization.redirectURIs.isEmpty {
            reading.fault(
                "\(key).redirectURIs",
                "is empty. The grant authorization_code needs an address to send codes to"
            )
        }
        if !hasCode, !oauth.client.authorization.redirectURIs.isEmpty {
            reading.fault("\(key).redirectURIs", "is only for the grant authorization_code")
        }
        if oauth.grants.allSatisfy({ $0 == .refreshToken }) {
            reading.fault("\(key).grants", "has no grant by which a person signs in")
        }
    }

    /// OpenID Connect Core §5.4: without the scope, the claim would never be included.
    private static func identityClaims(
        _ oauth: OAuthClientSettings,
        at key: String,
        in reading: inout SettingsReading
    ) {
        for claim in oauth.idTokenClaims where !oauth.scopes.contains(claim.scope) {
            reading.fault("\(key).idTokenClaims", "has \(claim.rawValue), which needs \(claim.scope) among the scopes")
        }
    }

    private static func requirement(
        _ oauth: OAuthClientSettings,
        at key: String,
        mode: Settings.Mode,
        in reading: inout SettingsReading
    ) {
        if oauth.grants.contains(.ciba), !oauth.client.authorization.requires.isMetByFace {
            reading.fault("\(key).requires", "asks for more than a face. The grant ciba proves only a face")
        }
        ways(oauth.client.authorization, isCIBA: oauth.grants.contains(.ciba), at: key, in: &reading)
        guard oauth.client.authorization.requires == .any else { return }
        guard mode == .laptop else {
            reading.fault("\(key).requires", "is any. In production a password alone is not enough for a client")
            return
        }
        reading.warn("\(key).requires", "is any: a browser that was signed in with a password alone is enough")
    }

    /// Checks the endpoint of logout tokens (Back-Channel Logout §2.2).
    ///
    /// A missing or malformed address is reported when it is read.
    private static func logout(
        _ oauth: OAuthClientSettings,
        at key: String,
        rule: NotificationEndpointRule,
        in reading: inout SettingsReading
    ) {
        guard let logout = oauth.client.tokens.logout, !logout.uri.isEmpty, !rule.allows(logout.uri) else { return }
        reading.fault("\(key).backchannelLogout.uri", "must be \(rule.demand)")
    }

    /// A password or a mailed code needs `requires: any`, so that production refuses them with that.
    private static func ways(
        _ rules: OAuthClient.AuthorizationRules,
        isCIBA: Bool,
        at key: String,
        in reading: inout SettingsReading
    ) {
        if !rules.requires.allows(rules.ways) {
            let admitted = rules.requires.ways.text.replacing(" ", with: ", ")
            reading.fault("\(key).ways", "does not fit requires: \(rules.requires.rawValue), which takes \(admitted)")
        } else if isCIBA, rules.requires.isMetByFace, !rules.isMetByFace {
            reading.fault("\(key).ways", "has no face. The grant ciba proves only a face")
        }
    }

    /// Checks the keys of CIBA (CIBA Core §4).
    private static func ciba(
        _ oauth: OAuthClientSettings,
        at key: String,
        notices: NotificationEndpointRule,
        in reading: inout SettingsReading
    ) {
        let hasGrant = oauth.grants.contains(.ciba)
        guard let ciba = oauth.client.authorization.backchannel else {
            if hasGrant {
                reading.fault("\(key).ciba", "is missing. The grant ciba needs it, at least with delivery: poll")
            }
            return
        }
        if !hasGrant { reading.fault("\(key).ciba", "is only for the grant ciba") }
        if oauth.authentication == .none {
            reading.fault("\(key).ciba", "is only for clients that authenticate. Set authentication")
        }
        switch (ciba.delivery, ciba.notificationEndpoint) {
        case (.poll, nil), (.ping, .some), (.push, .some): break
        case (.poll, .some): reading.fault("\(key).ciba.notificationEndpoint", "is only for delivery: ping or push")
        case (.ping, nil), (.push, nil):
            reading.fault(
                "\(key).ciba.notificationEndpoint",
                "is missing. It is required with delivery: \(ciba.delivery.rawValue)"
            )
        }
        if let endpoint = ciba.notificationEndpoint, !notices.allows(endpoint) {
            reading.fault("\(key).ciba.notificationEndpoint", "must be \(notices.demand)")
        }
        if ciba.requiresSignedRequests, oauth.authentication != .privateKeyJWT {
            reading.fault("\(key).ciba.signedRequests", "needs keys. Set authentication: private-key-jwt")
        }
    }
}
