import Kernel
import OAuth

/// The parts of the table that are about OAuth.
extension SettingsSchema {
    static let oauth = SettingSection<OAuthSettings>([
        .value("enabled", \.enabled, as: .flag, help: "Whether the OAuth routes are there."),
        .value(
            "registration",
            \.registration,
            as: .flag,
            help: "Whether clients can register themselves, with a token of vestibule clients registration-token."
        ),
        .value(
            "codeLifetime",
            \.authorization.codeLifetime,
            as: .duration(.seconds(10)...(.seconds(600))),
            help: "From the end of a sign-in to the redemption of its code."
        ),
        .value(
            "interactionLifetime",
            \.authorization.interactionLifetime,
            as: .duration(.seconds(60)...(.seconds(3600))),
            help: "From an authorization request to the end of its sign-in."
        ),
        .value(
            "requestLifetime",
            \.authorization.requestLifetime,
            as: .duration(.seconds(10)...(.seconds(600))),
            help: "From a pushed request to its use."
        ),
        .value(
            "cibaInterval",
            \.backchannel.interval,
            as: .duration(.seconds(1)...(.seconds(30))),
            help: "What clients of CIBA wait between two polls."
        ),
        .value(
            "cibaLifetime",
            \.backchannel.lifetime,
            as: .duration(.seconds(30)...(.seconds(900))),
            help: "From a backchannel request to its end, unless it asks for less."
        ),
        .value(
            "deviceInterval",
            \.device.interval,
            as: .duration(.seconds(1)...(.seconds(60))),
            help: "What devices wait between two polls."
        ),
        .value(
            "deviceLifetime",
            \.device.lifetime,
            as: .duration(.seconds(60)...(.seconds(1800))),
            help: "From a device's request to the end of its code."
        ),
    ])

    static let oauthClient = SettingSection<OAuthClientSettings>([
        .list(
            "redirectURIs",
            \.redirectURIs,
            as: .redirectURI,
            help:
                "Where codes go, compared character by character: https, http on this machine, or an app's own scheme."
        ),
        .list(
            "postLogoutRedirectURIs",
            \.postLogoutRedirectURIs,
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
        .list("resources", \.resources, as: .secureURL, help: "The APIs that it may ask for tokens for (RFC 8707)."),
        .value(
            "pkce",
            \.pkce,
            as: .choice,
            help:
                "Whether each code needs a code challenge (RFC 7636); optional is for a published app that sends none. Where one is sent it counts."
        ),
        .value(
            "pushedRequests",
            \.requiresPushedRequests,
            as: .choice(of: ["required": true, "optional": false]),
            help: "Whether its requests have to be pushed first (RFC 9126)."
        ),
        .value(
            "dpop",
            \.requiresDPoP,
            as: .choice(of: ["required": true, "optional": false]),
            help: "Whether its tokens have to be bound to a key (RFC 9449)."
        ),
        .value(
            "refreshTokens",
            \.refreshTokens,
            as: .choice,
            help: "When a sign-in gets a refresh token: with the scope offline_access, or always."
        ),
        .value(
            "requires",
            \.requires,
            as: .choice,
            help:
                "What a person has to have proved, now or in the browser's session from before. A password or a mailed code is enough for any alone, which production refuses."
        ),
        .value(
            "idTokenAlgorithm",
            \.idTokenAlgorithm,
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
            \.ciba,
            keys: ciba,
            blank: OAuthClient.Backchannel(delivery: .poll, notificationEndpoint: nil, requiresSignedRequests: false),
            help: "How it gets the answers to its backchannel requests."
        ),
    ])

    static let ciba = SettingSection<OAuthClient.Backchannel>([
        .value("delivery", \.delivery, as: .choice, help: "Whether it polls, is pinged, or is pushed the tokens."),
        .value(
            "notificationEndpoint",
            \.notificationEndpoint,
            as: SettingRule<String>.secureURL.optional,
            help: "Where pings and pushes go.",
            example: "https://app.example.com/ciba"
        ),
        .value(
            "signedRequests",
            \.requiresSignedRequests,
            as: .choice(of: ["required": true, "optional": false]),
            help: "Whether its requests have to be signed by its keys."
        ),
    ])
}
