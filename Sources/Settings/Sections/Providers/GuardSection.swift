package import FaceProviders

/// How a provider's calls are bounded, whatever its adapter.
package struct GuardSettings: Sendable, Equatable {
    /// The time of a call with its wait, its token and its retries; `nil` is twice the time of one request.
    package var callTimeout: Duration?
    /// All but the time of a call, which hangs on the provider's other keys.
    package var policy = GuardPolicy()

    /// The policy, whose time for a call is twice that of a request unless it is written.
    package func policy(requestTimeout: Duration) -> GuardPolicy {
        var policy = policy
        policy.callTimeout = callTimeout ?? requestTimeout + requestTimeout
        return policy
    }
}

extension SettingsSchema {
    static let guarding = SettingSection<GuardSettings>([
        .value(
            "callTimeout",
            \.callTimeout,
            as: SettingRule<Duration>.duration(.milliseconds(500)...(.seconds(180))).optional,
            help: "How long a call may take with its wait, its token and its retries; by default twice requestTimeout."
        ),
        .value(
            "retries",
            \.policy.retries,
            as: .integer(0...5),
            help: "How often a failed status check is tried again; a start never is."
        ),
        .value(
            "maxConcurrentStarts",
            \.policy.concurrentStarts,
            as: .integer(1...1000),
            help: "Scans being started at one time."
        ),
        .value(
            "maxQueued",
            \.policy.queued,
            as: .integer(0...10_000),
            help: "Starts that may wait for a place; further ones fail at once."
        ),
        .value(
            "probeTimeout",
            \.policy.probeTimeout,
            as: .duration(.milliseconds(200)...(.seconds(60))),
            help:
                "The least time of a check that finds out whether the provider is back, or is one of the last before a deadline."
        ),
        .value(
            "circuitFailures",
            \.policy.circuit.failures,
            as: .integer(2...1000),
            help: "So many failed calls in a row open the circuit: no call goes out for a while."
        ),
        .value(
            "circuitPause",
            \.policy.circuit.pause,
            as:  // Shorter than failures count, so that a provider is degraded for as long as its circuit is open.
                .duration(.milliseconds(100)...(.seconds(25))),
            help: "For how long; then one call at a time finds out whether the provider is back."
        ),
    ])
}
