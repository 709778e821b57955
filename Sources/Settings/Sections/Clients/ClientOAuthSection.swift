package import Kernel
package import OAuth

/// The settings of an OAuth client in the config.
package struct OAuthClientSettings: Sendable, Equatable {
    /// All values except those of the client's other keys, its secrets, and the lists that keep their order.
    package var client = OAuthClient(
        id: "",
        name: "",
        origin: .config,
        authentication: .none,
        access: OAuthClient.Access(grants: [], scopes: ScopeSet([]), audience: "")
    )
    package var grants: [OAuthClient.GrantType] = [.authorizationCode, .refreshToken]
    package var authentication: Authentication = .none
    package var secret: Secret?
    /// Accepted in addition to `secret` while that is being rotated.
    package var earlierSecret: Secret?
    package var keys: KeySetFile?
    package var scopes = ["openid", "profile", "email", "offline_access"]
    package var idTokenClaims: [IdentityClaim] = []

    /// The ways to sign in that are good enough, in the order of the page.
    package var ways: [SignInWay] {
        get { SignInWay.allCases.filter(client.authorization.ways.contains) }
        set { client.authorization.ways = Set(newValue) }
    }

    /// How a client authenticates.
    package enum Authentication: String, Sendable, CaseIterable {
        case none, secret
        case privateKeyJWT = "private-key-jwt"
    }
}

/// A client's public keys: the file that the config names, with its content when it was read.
package struct KeySetFile: Sendable, Equatable {
    package let path: String
    package let document: String
}

extension SettingsSchema {
    static let oauthClient = SettingSection<OAuthClientSettings>([
        .list(
            "redirectURIs",
            \.client.authorization.redirectURIs,
            as: .redirectURI,
            help:
                "The addresses that codes are sent to, compared character by character: https, http on this machine, or an app's own scheme."
        ),
        .list(
            "postLogoutRedirectURIs",
            \.client.authorization.postLogoutRedirectURIs,
            as: .redirectURI,
            help: "The addresses that a browser may be sent to after a sign-out."
        ),
        .list("grants", \.grants, as: .grant, help: "The grants that it may use."),
        .value(
            "authentication",
            \.authentication,
            as: .choice,
            help: "How it authenticates: an app on a phone cannot, a server does with a secret or with keys."
        ),
        .value(
            "secret",
            \.secret,
            as: SettingRule<Secret>.secret.optional,
            help: "Its secret, at least 32 random characters: letters, digits, - and _.",
            example: "env:CLIENT_SECRET"
        ),
        .value(
            "earlierSecret",
            \.earlierSecret,
            as: SettingRule<Secret>.secret.optional,
            help: "Its previous secret, which stays valid until it is removed here.",
            example: "env:EARLIER_CLIENT_SECRET"
        ),
        .value(
            "keys",
            \.keys,
            as: SettingRule<KeySetFile>.keySet.optional,
            help: "The file of its public keys, a JWK set.",
            example: "clients/app.jwks.json"
        ),
        .list("scopes", \.scopes, as: .scope, help: "The scopes that it may ask for."),
        .list(
            "resources",
            \.client.access.resources,
            as: .secureURL,
            help: "The APIs that it may ask for tokens for (RFC 8707)."
        ),
        .value(
            "pkce",
            \.client.authorization.codeChallenge,
            as: .choice,
            help:
                "Whether each code needs a code challenge (RFC 7636). A challenge that is sent always counts, and optional is for a published app that sends none."
        ),
        .value(
            "pushedRequests",
            \.client.authorization.requiresPushedRequests,
            as: .choice(of: ["required": true, "optional": false]),
            help: "Whether its requests have to be pushed first (RFC 9126)."
        ),
        .value(
            "dpop",
            \.client.tokens.requiresDPoP,
            as: .choice(of: ["required": true, "optional": false]),
            help: "Whether its tokens have to be bound to a key (RFC 9449)."
        ),
        .value(
            "refreshTokens",
            \.client.tokens.refresh,
            as: .choice,
            help: "When a sign-in gets a refresh token: with the scope offline_access, or always."
        ),
        .value(
            "requires",
            \.client.authorization.requires,
            as: .choice,
            help:
                "The proof that a person needs, now or earlier in the browser's session. Only any accepts a password or a mailed code alone, and production refuses it."
        ),
        .list(
            "ways",
            \.ways,
            as: .choice,
            help: "The ways to sign in that are good enough for it, by default those that requires admits."
        ),
        .value(
            "idTokenAlgorithm",
            \.client.tokens.identityAlgorithm,
            as: .choice(of: ["default": nil, "rs256": .rs256]),
            help: "The algorithm of its id tokens: that of access tokens (secrets.signingAlgorithm), or RS256."
        ),
        .list(
            "idTokenClaims",
            \.idTokenClaims,
            as: .choice,
            help:
                "The claims about the person in its id tokens, each with its scope. All of them are at /oauth/userinfo in any case."
        ),
        .optionalGroup(
            "ciba",
            \.client.authorization.backchannel,
            keys: ciba,
            blank: OAuthClient.Backchannel(delivery: .poll, notificationEndpoint: nil, requiresSignedRequests: false),
            help: "How it gets the answers to its backchannel requests."
        ),
        .optionalGroup(
            "backchannelLogout",
            \.client.tokens.logout,
            keys: logoutEndpoint,
            blank: LogoutEndpoint(uri: ""),
            help: "How it is told that one of its sessions has ended (OpenID Connect Back-Channel Logout)."
        ),
    ])
}
