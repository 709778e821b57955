import FaceProviders
import Kernel

/// The ways in which requests of `kind: http` authenticate.
extension SettingsSchema {
    static let httpAuth = SettingSection<TemplateAuth>(
        kind: "kind",
        "The method: none (only headers), basic, bearer, oauth (client credentials) or hmac.",
        default: "none",
        [
            SettingVariant(
                "none",
                SettingSection([]),
                blank: .none,
                wrap: { $0 },
                unwrap: { if case .none = $0 { $0 } else { nil } }
            ),
            SettingVariant(
                "basic",
                httpBasic,
                blank: BasicCredentials(user: Secret(""), password: Secret("")),
                wrap: { .basic($0) },
                unwrap: { if case .basic(let credentials) = $0 { credentials } else { nil } }
            ),
            SettingVariant(
                "bearer",
                SettingSection<Secret>([
                    .value("token", \.self, as: .secret, help: "bearer: the token.", required: true)
                ]),
                blank: Secret(""),
                wrap: { .bearer($0) },
                unwrap: { if case .bearer(let token) = $0 { token } else { nil } }
            ),
            SettingVariant(
                "oauth",
                httpOAuth,
                blank: ClientCredentials(tokenURL: "", clientID: Secret(""), clientSecret: Secret("")),
                wrap: { .clientCredentials($0) },
                unwrap: { if case .clientCredentials(let credentials) = $0 { credentials } else { nil } }
            ),
            SettingVariant(
                "hmac",
                httpSignature,
                blank: RequestSignature(header: "", key: Secret("")),
                wrap: { .hmac($0) },
                unwrap: { if case .hmac(let signature) = $0 { signature } else { nil } }
            ),
        ]
    )

    private static let httpBasic = SettingSection<BasicCredentials>([
        .value("user", \.user, as: .basicUser, help: "basic: the user.", required: true),
        .value("password", \.password, as: .secret, help: "basic: the password.", required: true),
    ])

    private static let httpOAuth = SettingSection<ClientCredentials>([
        .value(
            "tokenURL",
            \.tokenURL,
            as: .secureURL,
            help: "oauth: the address where tokens are issued.",
            required: true
        ),
        .value("clientID", \.clientID, as: .secret, help: "oauth: the client's id.", required: true),
        .value("clientSecret", \.clientSecret, as: .secret, help: "oauth: the client's secret.", required: true),
        .value(
            "credentials",
            \.transport,
            as: .choice(of: ["basic": .basic, "body": .body]),
            help: "oauth: whether both go in the Authorization header or the body."
        ),
        .value("scope", \.scope, as: SettingRule<String>.text.optional, help: "oauth: the scope that is asked for."),
        .value(
            "audience",
            \.audience,
            as: SettingRule<String>.text.optional,
            help: "oauth: the audience that is asked for."
        ),
    ])

    private static let httpSignature = SettingSection<RequestSignature>([
        .value("header", \.header, as: .headerName, help: "hmac: the header of the signature.", required: true),
        .value("key", \.key, as: .secret, help: "hmac: the key.", required: true),
        .value(
            "sign",
            \.sign,
            as: SettingRule<TemplateText>.template(.signed, .everyRequest).optional,
            help: "hmac: the text that is signed, with {{method}}, {{path}}, {{body}} and others, by default the body."
        ),
        .value(
            "encoding",
            \.encoding,
            as: .choice(of: ["hex": .hex, "base64": .base64]),
            help: "hmac: how the HMAC-SHA256 is written."
        ),
        .value(
            "value",
            \.value,
            as: SettingRule<TemplateText>.template(.header, .signature).optional,
            help: "hmac: the header's value, by default only {{signature}}."
        ),
    ])
}
