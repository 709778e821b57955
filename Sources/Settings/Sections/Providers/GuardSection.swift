import FaceProviders

extension SettingsSchema {
    static let guarding = SettingSection<ProviderSettings>([
        .value(
            "callTimeout",
            \.callTimeout,
            as: SettingRule<Duration>.duration(.milliseconds(500)...(.seconds(180))).optional,
            help: "How long a call may take with its wait, its token and its retries, by default twice requestTimeout."
        ),
        .value(
            "retries",
            \.guarding.retries,
            as: .integer(0...5),
            help: "How often a failed status check is tried again. A start is never tried again."
        ),
        .value(
            "maxConcurrentStarts",
            \.guarding.concurrentStarts,
            as: .integer(1...1000),
            help: "Scans being started at one time."
        ),
        .value(
            "maxQueued",
            \.guarding.queued,
            as: .integer(0...10_000),
            help: "Starts that may wait for a place. Further starts fail at once."
        ),
        .value(
            "probeTimeout",
            \.guarding.probeTimeout,
            as: .duration(.milliseconds(200)...(.seconds(60))),
            help:
                "The least time of a check that tests whether the provider is back, or that is one of the last before a deadline."
        ),
        .value(
            "circuitFailures",
            \.guarding.circuit.failures,
            as: .integer(2...1000),
            help: "The number of failed calls in a row that open the circuit. Then no call is sent for a while."
        ),
        .value(
            "circuitPause",
            \.guarding.circuit.pause,
            as:  // Shorter than failures count, so that a provider is degraded for as long as its circuit is open.
                .duration(.milliseconds(100)...(.seconds(25))),
            help:
                "The time that the circuit stays open. After that one call at a time tests whether the provider is back."
        ),
    ])
}
