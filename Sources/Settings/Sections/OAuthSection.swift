package import OAuth

/// The authorization server for OAuth and OpenID Connect clients.
package struct OAuthSettings: Sendable, Equatable {
    /// Whether `/oauth/*` is served.
    package var enabled = false
    /// Whether clients can register themselves with a token that the operator issues (RFC 7591).
    package var registration = false
    package var authorization = AuthorizationPolicy()
    package var backchannel = BackchannelPolicy(interval: .seconds(2))
    package var device = DeviceFlowPolicy()
    /// The addresses and blocks that clients' endpoints may have although they are not public.
    package var privateAddresses: [String] = []
}

extension SettingsSchema {
    static let oauth = SettingSection<OAuthSettings>([
        .value("enabled", \.enabled, as: .flag, help: "Whether the OAuth routes are served."),
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
            help: "The time from the end of a sign-in to the redemption of its code."
        ),
        .value(
            "interactionLifetime",
            \.authorization.interactionLifetime,
            as: .duration(.seconds(60)...(.seconds(3600))),
            help: "The time from an authorization request to the end of its sign-in."
        ),
        .value(
            "requestLifetime",
            \.authorization.requestLifetime,
            as: .duration(.seconds(10)...(.seconds(600))),
            help: "The time from a pushed request to its use."
        ),
        .value(
            "cibaInterval",
            \.backchannel.interval,
            as: .duration(.seconds(1)...(.seconds(30))),
            help: "The time that clients of CIBA wait between two polls."
        ),
        .value(
            "cibaLifetime",
            \.backchannel.lifetime,
            as: .duration(.seconds(30)...(.seconds(900))),
            help: "The time from a backchannel request to its end, unless it asks for less."
        ),
        .value(
            "deviceInterval",
            \.device.interval,
            as: .duration(.seconds(1)...(.seconds(60))),
            help: "The time that devices wait between two polls."
        ),
        .value(
            "deviceLifetime",
            \.device.lifetime,
            as: .duration(.seconds(60)...(.seconds(1800))),
            help: "The time from a device's request to the end of its code."
        ),
        .list(
            "privateAddresses",
            \.privateAddresses,
            as: .addressBlock("the networks of your clients"),
            help:
                "The addresses and blocks, besides public ones, at which clients' endpoints for logout tokens and CIBA may be. On a laptop this machine is allowed too."
        ),
    ])
}
