import Kernel
package import Operations
package import Sessions
package import Web

/// A client (an app) and its policies.
package struct ClientSettings: Sendable, Equatable {
    package let id: String
    /// The name that is shown to people.
    package var name: String
    /// Whether it is the client of requests that name none.
    package var isDefault = false
    /// The `aud` of its tokens (RFC 7519 §4.1.3).
    package var audience: String
    package var verifier: ClientPolicy.Verifier = .required
    package var initiators: ClientPolicy.Initiators = .knownDevice
    package var accessTokenLifetime: Duration = .seconds(3600)
    /// Whether a refresh replaces the refresh token (RFC 9700 §4.14.2), and how long the client's sessions last.
    package var refresh = RefreshPolicy(rotation: .always, idleLifetime: .days(30), absoluteLifetime: .days(90))
    /// Overrides ``FaceLoginSettings/landing``.
    package var landing: LandingPolicy.Step?
    /// How the landing page confirms a login, if it asks before the scan.
    package var confirmWith: LandingPolicy.Confirmation = .press
    /// The URLs that a login may send the browser back to: web pages, or an app's own scheme (RFC 8252 §7).
    package var returnURLs: [String] = []
    /// The surfaces whose requests may name the client.
    package var surfaces = SurfaceSettings.names
    /// Whether tokens are issued only for the code that the browser brings back.
    package var requireReturn = false
    /// The authorization server to which the broker passes requests; `nil` for a client of this server.
    package var upstream: String?
    /// The client's own brand; `nil` shows its pages under the owner's.
    package var theme: BrandSettings?
    /// `nil` for a client that does not use OAuth.
    package var oauth: OAuthClientSettings?

    package init(id: String) {
        self.id = id
        name = id
        audience = id
    }
}

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
        .value("name", \.name, as: .text, help: "The name that people see, by default the id."),
        .value(
            "default",
            \.isDefault,
            as: .flag,
            help: "Whether requests that name no client belong to this one. Only one client can be the default."
        ),
        .value("audience", \.audience, as: .text, help: "The audience of its tokens, by default the id."),
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
            help: "The callers that may start a login: anyone who knows the e-mail, or a known-device of the account."
        ),
        .value(
            "accessTokenLifetime",
            \.accessTokenLifetime,
            as: .duration(.seconds(60)...(.days(1))),
            help: "How long an access token is valid."
        ),
        .value(
            "refreshTokenLifetime",
            \.refresh.idleLifetime,
            as: .duration(.seconds(3600)...(.days(400))),
            help: "How long a refresh token is valid."
        ),
        .value(
            "sessionLifetime",
            \.refresh.absoluteLifetime,
            as: .duration(.seconds(3600)...(.days(400))),
            help: "How long a sign-in can be refreshed in total."
        ),
        .value(
            "refresh",
            \.refresh.rotation,
            as: .choice(of: ["rotation": .always, "bearer-without-rotation": .cookieOnly]),
            help: "Whether a refresh replaces the refresh token. Without it a copy works beside the app for 12 hours."
        ),
        .value(
            "keyRefresh",
            \.refresh.keySessions,
            as: .choice(of: ["signature": .key, "credential": .credential]),
            help:
                "The proof that refreshes a session opened by a device's key: a signature of the key, or the device credential too."
        ),
        .value(
            "landing",
            \.landing,
            as: SettingRule<LandingPolicy.Step>.choice.optional,
            help: "The behaviour of the landing page for this client, by default faceLogin.landing.",
            example: "confirm"
        ),
        .value(
            "confirmWith",
            \.confirmWith,
            as: .choice,
            help:
                "The confirmation that the page takes where it asks first: a press, or a passkey if the account has any."
        ),
        .list(
            "returnURLs",
            \.returnURLs,
            as: .returnURL,
            help: "The addresses that a login may send the browser back to."
        ),
        .list("surfaces", \.surfaces, as: .surface, help: "The surfaces whose requests may name it."),
        .value(
            "requireReturn",
            \.requireReturn,
            as: .flag,
            help: "Whether tokens need the code that the browser brings back. The provider has to send browsers back."
        ),
        .value(
            "upstream",
            \.upstream,
            as: SettingRule<String>.name.optional,
            help: "The one of upstreams that signs its people in through the broker, by default this server itself.",
            example: "ates"
        ),
        .optionalGroup(
            "theme",
            \.theme,
            keys: theme,
            blank: BrandSettings(),
            help:
                "Its own brand, on pages and in mails for it. What it leaves out, but name and logo, is that of the owner."
        ),
        .optionalGroup(
            "oauth",
            \.oauth,
            keys: oauthClient,
            blank: OAuthClientSettings(),
            help: "Makes it a client of the authorization server."
        ),
    ])
}
