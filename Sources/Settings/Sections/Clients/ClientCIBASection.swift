import OAuth

extension SettingsSchema {
    static let ciba = SettingSection<OAuthClient.Backchannel>([
        .value(
            "delivery",
            \.delivery,
            as: .choice,
            help: "Whether the client polls, is pinged, or is pushed the tokens."
        ),
        .value(
            "notificationEndpoint",
            \.notificationEndpoint,
            as: SettingRule<String>.secureURL.optional,
            help: "The address that pings and pushes are sent to.",
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
