import Kernel
import OAuth

/// The parts of the table that are about OAuth.
extension SettingsSchema {
    static let oauth = SettingSection<OAuthSettings>([
        .value("enabled", \.enabled, .flag, "Whether the OAuth routes are there."),
        .value(
            "registration",
            \.registration,
            .flag,
            "Whether clients can register themselves, with a token of vestibule clients registration-token."
        ),
        .value(
            "codeLifetime",
            \.authorization.codeLifetime,
            .duration(.seconds(10)...(.seconds(600))),
            "From the end of a sign-in to the redemption of its code."
        ),
        .value(
            "interactionLifetime",
            \.authorization.interactionLifetime,
            .duration(.seconds(60)...(.seconds(3600))),
            "From an authorization request to the end of its sign-in."
        ),
        .value(
            "requestLifetime",
            \.authorization.requestLifetime,
            .duration(.seconds(10)...(.seconds(600))),
            "From a pushed request to its use."
        ),
        .value(
            "cibaInterval",
            \.backchannel.interval,
            .duration(.seconds(1)...(.seconds(30))),
            "What clients of CIBA wait between two polls."
        ),
        .value(
            "cibaLifetime",
            \.backchannel.lifetime,
            .duration(.seconds(30)...(.seconds(900))),
            "From a backchannel request to its end, unless it asks for less."
        ),
        .value(
            "deviceInterval",
            \.device.interval,
            .duration(.seconds(1)...(.seconds(60))),
            "What devices wait between two polls."
        ),
        .value(
            "deviceLifetime",
            \.device.lifetime,
            .duration(.seconds(60)...(.seconds(1800))),
            "From a device's request to the end of its code."
        ),
    ])

    static let oauthClient = SettingSection<OAuthClientSettings>([
        .list(
            "redirectURIs",
            \.redirectURIs,
            .redirectURI,
            "Where codes go, compared character by character: https, http on this machine, or an app's own scheme."
        ),
        .list(
            "postLogoutRedirectURIs",
            \.postLogoutRedirectURIs,
            .redirectURI,
            "Where a browser may go once it is signed out."
        ),
        .list("grants", \.grants, .grant, "What it may ask for tokens with."),
        .value(
            "authentication",
            \.authentication,
            .choice,
            "How it shows that it is itself: an app on a phone can't, a server does by a secret or by keys."
        ),
        .value(
            "secret",
            \.secret,
            SettingRule<Secret>.secret.optional,
            "Its secret, 32 random characters at least: letters, digits, - and _.",
            example: "env:CLIENT_SECRET"
        ),
        .value(
            "earlierSecret",
            \.earlierSecret,
            SettingRule<Secret>.secret.optional,
            "Its secret before, which counts as well until it is taken away here.",
            example: "env:EARLIER_CLIENT_SECRET"
        ),
        .value(
            "keys",
            \.keys,
            SettingRule<KeySetFile>.keySet.optional,
            "The file of its public keys, a JWK set.",
            example: "clients/app.jwks.json"
        ),
        .list("scopes", \.scopes, .scope, "All that it may ask for."),
        .list("resources", \.resources, .secureURL, "The APIs that it may ask for tokens for (RFC 8707)."),
        .value(
            "pkce",
            \.pkce,
            .choice,
            "Whether each code needs a code challenge (RFC 7636); optional is for a published app that sends none. Where one is sent it counts."
        ),
        .value(
            "pushedRequests",
            \.requiresPushedRequests,
            .choice(of: ["required": true, "optional": false]),
            "Whether its requests have to be pushed first (RFC 9126)."
        ),
        .value(
            "dpop",
            \.requiresDPoP,
            .choice(of: ["required": true, "optional": false]),
            "Whether its tokens have to be bound to a key (RFC 9449)."
        ),
        .value(
            "refreshTokens",
            \.refreshTokens,
            .choice,
            "When a sign-in gets a refresh token: with the scope offline_access, or always."
        ),
        .value(
            "requires",
            \.requires,
            .choice,
            "What a person has to have proved, now or in the browser's session from before. A password or a mailed code is enough for any alone, which production refuses."
        ),
        .value(
            "idTokenAlgorithm",
            \.idTokenAlgorithm,
            .choice(of: ["default": nil, "rs256": .rs256]),
            "What its id tokens are signed with: as access tokens are (secrets.signingAlgorithm), or by RS256."
        ),
        .list(
            "idTokenClaims",
            \.idTokenClaims,
            .choice,
            "What its id tokens say of the person, with the scope of each; all of it is at /oauth/userinfo in any case."
        ),
        .optionalGroup(
            "ciba",
            \.ciba,
            ciba,
            blank: OAuthClient.Backchannel(
                delivery: .poll,
                notificationEndpoint: nil,
                requiresSignedRequests: false
            ),
            "How it gets the answers to its backchannel requests."
        ),
    ])

    static let ciba = SettingSection<OAuthClient.Backchannel>([
        .value("delivery", \.delivery, .choice, "Whether it polls, is pinged, or is pushed the tokens."),
        .value(
            "notificationEndpoint",
            \.notificationEndpoint,
            SettingRule<String>.secureURL.optional,
            "Where pings and pushes go.",
            example: "https://app.example.com/ciba"
        ),
        .value(
            "signedRequests",
            \.requiresSignedRequests,
            .choice(of: ["required": true, "optional": false]),
            "Whether its requests have to be signed by its keys."
        ),
    ])
}
