package import Kernel
package import OAuth

/// The settings that make a client of the config one of the authorization server's.
package struct OAuthClientSettings: Sendable, Equatable {
    /// All but what the client's other keys say, its secrets, and the lists that keep their order.
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
    /// Beside `secret`, while it is being rotated out.
    package var earlierSecret: Secret?
    package var keys: KeySetFile?
    package var scopes = ["openid", "profile", "email", "offline_access"]
    package var idTokenClaims: [IdentityClaim] = []

    /// How a client shows that it is itself.
    package enum Authentication: String, Sendable, CaseIterable {
        case none, secret
        case privateKeyJWT = "private-key-jwt"
    }
}

/// A client's public keys, as the file that the config names had them when it was read.
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
                "Where codes go, compared character by character: https, http on this machine, or an app's own scheme."
        ),
        .list(
            "postLogoutRedirectURIs",
            \.client.authorization.postLogoutRedirectURIs,
            as: .redirectURI,
            help: "Where a browser may go once it is signed out."
        ),
        .list("grants", \.grants, as: .grant, help: "What it may ask for tokens with."),
        .value(
            "authentication",
            \.authentication,
            as: .choice,
            help: "How it shows that it is itself: an app on a phone can't, a server does by a secret or by keys."
        ),
        .value(
            "secret",
            \.secret,
            as: SettingRule<Secret>.secret.optional,
            help: "Its secret, 32 random characters at least: letters, digits, - and _.",
            example: "env:CLIENT_SECRET"
        ),
        .value(
            "earlierSecret",
            \.earlierSecret,
            as: SettingRule<Secret>.secret.optional,
            help: "Its secret before, which counts as well until it is taken away here.",
            example: "env:EARLIER_CLIENT_SECRET"
        ),
        .value(
            "keys",
            \.keys,
            as: SettingRule<KeySetFile>.keySet.optional,
            help: "The file of its public keys, a JWK set.",
            example: "clients/app.jwks.json"
        ),
        .list("scopes", \.scopes, as: .scope, help: "All that it may ask for."),
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
                "Whether each code needs a code challenge (RFC 7636); optional is for a published app that sends none. Where one is sent it counts."
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
                "What a person has to have proved, now or in the browser's session from before. A password or a mailed code is enough for any alone, which production refuses."
        ),
        .value(
            "idTokenAlgorithm",
            \.client.tokens.identityAlgorithm,
            as: .choice(of: ["default": nil, "rs256": .rs256]),
            help: "What its id tokens are signed with: as access tokens are (secrets.signingAlgorithm), or by RS256."
        ),
        .list(
            "idTokenClaims",
            \.idTokenClaims,
            as: .choice,
            help:
                "What its id tokens say of the person, with the scope of each; all of it is at /oauth/userinfo in any case."
        ),
        .optionalGroup(
            "ciba",
            \.client.authorization.backchannel,
            keys: ciba,
            blank: OAuthClient.Backchannel(delivery: .poll, notificationEndpoint: nil, requiresSignedRequests: false),
            help: "How it gets the answers to its backchannel requests."
        ),
    ])
}
