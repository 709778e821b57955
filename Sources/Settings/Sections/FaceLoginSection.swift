package import Operations

/// The time limits of a face login, and how its provider is polled.
package struct FaceLoginSettings: Sendable, Equatable {
    /// The name of the first provider in ``Settings/providers``.
    package var provider = ""
    /// The names of the providers that scan when the first is unavailable, in this order.
    package var failover: [String] = []
    /// The time from the start to the deadline.
    package var lifetime: Duration = .seconds(180)
    /// The time from the approval within which the tokens must first be collected.
    package var approvalWindow: Duration = .seconds(60)
    /// The time from the first collection within which it may be repeated.
    package var redemptionWindow: Duration = .seconds(120)
    /// The interval between two polls that clients are told.
    package var pollInterval: Duration = .seconds(2)
    /// What the landing page does.
    package var landing: LandingPolicy.Step = .redirect
    /// The intervals at which the provider is polled.
    package var cadence = WatchCadence(hot: .seconds(1), cold: .seconds(5))
}

extension SettingsSchema {
    static let faceLogin = SettingSection<FaceLoginSettings>([
        .value("provider", \.provider, as: .name, help: "The one of providers that scans faces.", required: true),
        .list(
            "failover",
            \.failover,
            as: .name,
            help:
                "The other providers that scan, in this order, the people enrolled there while the first is unavailable."
        ),
        .value(
            "lifetime",
            \.lifetime,
            as: .duration(.seconds(125)...(.seconds(900))),
            help: "The time from the start of a login to its deadline."
        ),
        .value(
            "approvalWindow",
            \.approvalWindow,
            as: .duration(.seconds(10)...(.seconds(900))),
            help: "The time from the approval to the first collection."
        ),
        .value(
            "redemptionWindow",
            \.redemptionWindow,
            as: .duration(.seconds(20)...(.seconds(900))),
            help: "The time from the first collection to the last repeated one."
        ),
        .value(
            "pollInterval",
            \.pollInterval,
            as: .duration(.seconds(1)...(.seconds(30))),
            help: "The time that clients wait between two polls."
        ),
        .value(
            "landing",
            \.landing,
            as: .choice,
            help:
                "The behaviour of the landing page: redirect continues to the provider, confirm shows the request and waits, direct omits the page (laptop only). A cross-device login always waits."
        ),
        .value(
            "hotCheck",
            \.cadence.hot,
            as: .duration(.milliseconds(200)...(.seconds(30))),
            help: "The time between two checks at the provider while a client waits."
        ),
        .value(
            "coldCheck",
            \.cadence.cold,
            as: .duration(.milliseconds(200)...(.seconds(60))),
            help: "The time between two checks at the provider while no client waits."
        ),
    ])
}
