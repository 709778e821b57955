import OAuth

extension SettingsSchema {
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
