package import Operations

/// How long a face login may take, and how its provider is followed.
package struct FaceLoginSettings: Sendable, Equatable {
    /// The name of one of ``Settings/providers``.
    package var provider = ""
    /// The names of other providers that scan while the first can't be asked, in this order.
    package var failover: [String] = []
    /// The time from the start to the deadline.
    package var lifetime: Duration = .seconds(180)
    /// The time from the approval to the latest first collection.
    package var approvalWindow: Duration = .seconds(60)
    /// The time from the first collection to the latest repeated one.
    package var redemptionWindow: Duration = .seconds(120)
    /// The interval that clients are told to wait between two polls.
    package var pollInterval: Duration = .seconds(2)
    /// The step of the landing page.
    package var landing: LandingPolicy.Step = .redirect
    /// How often the provider is asked.
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
