import Kernel
import Operations
import Sessions

/// The parts of the table whose keys are names.
extension SettingsSchema {
    static let clients = SettingField<Settings>.map(
        "clients",
        each: client,
        help: "The apps that may sign people in, by client id.",
        blank: { ClientSettings(id: $0) },
        insert: { settings, _, client in settings.clients.append(client) },
        elements: { settings in settings.clients.map { ($0.id, $0) } }
    )

    static let client = SettingSection<ClientSettings>([
        .value("name", \.name, as: .text, help: "What people are shown; by default the id."),
        .value(
            "default",
            \.isDefault,
            as: .flag,
            help: "Whether requests that name no client are this one's; one client at most."
        ),
        .value("audience", \.audience, as: .text, help: "The audience of its tokens; by default the id."),
        .value(
            "verifier",
            \.verifier,
            as: .choice(of: ["optional": .optional, "required": .required]),
            help: "Whether a login must begin with a code challenge (RFC 7636)."
        ),
        .value(
            "initiators",
            \.initiators,
            as: .choice,
            help: "Who may start a login: anyone who knows the e-mail, or a known-device of the account."
        ),
        .value(
            "accessTokenLifetime",
            \.accessTokenLifetime,
            as: .duration(.seconds(60)...(.days(1))),
            help: "How long an access token is good."
        ),
        .value(
            "refreshTokenLifetime",
            \.refreshTokenLifetime,
            as: .duration(.seconds(3600)...(.days(400))),
            help: "How long a refresh token is good."
        ),
        .value(
            "sessionLifetime",
            \.sessionLifetime,
            as: .duration(.seconds(3600)...(.days(400))),
            help: "How long a sign-in can be refreshed, however often."
        ),
        .value(
            "refresh",
            \.refresh,
            as: .choice(of: ["rotation": .always, "bearer-without-rotation": .cookieOnly]),
            help: "Whether a refresh replaces the refresh token; without it a copy works beside the app for 12 hours."
        ),
        .value(
            "keyRefresh",
            \.keyRefresh,
            as: .choice(of: ["signature": .key, "credential": .credential]),
            help:
                "What refreshes a session that a device's key opened: a signature of the key, or the device credential too."
        ),
        .value(
            "landing",
            \.landing,
            as: SettingRule<LandingPolicy.Step>.choice.optional,
            help: "What the landing page does for this client; by default what faceLogin.landing says.",
            example: "confirm"
        ),
        .value(
            "confirmWith",
            \.confirmWith,
            as: .choice,
            help: "What the page takes for a yes where it asks first: a press, or a passkey if the account has any."
        ),
        .list("returnURLs", \.returnURLs, as: .returnURL, help: "Where a login may send the browser back to."),
        .list("surfaces", \.surfaces, as: .surface, help: "The surfaces whose requests may name it."),
        .value(
            "requireReturn",
            \.requireReturn,
            as: .flag,
            help: "Whether tokens need the code that the browser brings back; takes a provider that sends it back."
        ),
        .value(
            "upstream",
            \.upstream,
            as: SettingRule<String>.name.optional,
            help: "Which of upstreams signs its people in, by way of the broker; by default this server does.",
            example: "ates"
        ),
        .optionalGroup(
            "oauth",
            \.oauth,
            keys: oauthClient,
            blank: OAuthClientSettings(),
            help: "Makes it a client of the authorization server."
        ),
    ])

    static let surfaces = SettingField<Settings>.map(
        "surfaces",
        each: surface,
        names: SurfaceSettings.names,
        help: "The sets of routes that are served.",
        blank: { SurfaceSettings(name: $0) },
        insert: { settings, name, surface in settings.surfaces[name] = surface },
        elements: { settings in settings.surfaces.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
    )

    static let surface = SettingSection<SurfaceSettings>([
        .value("enabled", \.enabled, as: .flag, help: "Whether its routes are there."),
        .value("registration", \.registration, as: .flag, help: "Whether people can open accounts there themselves."),
        .value(
            "client",
            \.client,
            as: SettingRule<String>.name.optional,
            help: "The client of requests that name none.",
            example: "bbms"
        ),
    ])

    static let providers = SettingField<Settings>.map(
        "providers",
        each: provider,
        help: "The face providers, by name: keys, or a file with them beside this one.",
        blank: { _ in .authID(AuthIDSettings()) },
        insert: { settings, name, provider in settings.providers[name] = provider },
        elements: { settings in settings.providers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
    )

    static let provider = SettingSection<ProviderSettings>(
        kind: "kind",
        "Which adapter speaks to it.",
        [
            SettingVariant(
                "authid",
                authID,
                blank: AuthIDSettings(),
                wrap: { .authID($0) },
                unwrap: { provider in
                    switch provider {
                    case .authID(let settings): settings
                    case .http: nil
                    }
                }
            ),
            SettingVariant(
                "http",
                httpProvider,
                blank: HTTPProviderSettings(),
                wrap: { .http($0) },
                unwrap: { provider in
                    switch provider {
                    case .authID: nil
                    case .http(let settings): settings
                    }
                }
            ),
        ]
    )

    static let authID = SettingSection<AuthIDSettings>(
        [
            .value("baseURL", \.baseURL, as: .secureServerURL, help: "Where its API is.", required: true),
            .value("pageURL", \.pageURL, as: .secureServerURL, help: "Where its scan page is; by default baseURL."),
            .value("keyID", \.keyID, as: .basicUser, help: "The id of the API key.", required: true),
            .value("keyValue", \.keyValue, as: .secret, help: "The API key.", required: true),
        ] + providerCalls(),
        finish: { settings in
            if settings.pageURL.isEmpty { settings.pageURL = settings.baseURL }
        }
    )
}
