/// The settings of every provider, whatever its adapter: the bounds of its calls, and its webhooks.
package protocol ProviderCallSettings: Sendable {
    var connectTimeout: Duration { get set }
    /// The time of one request.
    var requestTimeout: Duration { get set }
    /// Status checks on their way at one time.
    var maxConcurrentChecks: Int { get set }
    var maxResponseBytes: Int { get set }
    var guarding: GuardSettings { get set }
    /// `nil` takes none.
    var webhook: WebhookSettings? { get set }
}

extension SettingsSchema {
    /// The keys of ``ProviderCallSettings``.
    static func providerCalls<Root: ProviderCallSettings>() -> [SettingField<Root>] {
        [
            .value(
                "connectTimeout",
                \.connectTimeout,
                as: .duration(.milliseconds(100)...(.seconds(30))),
                help: "How long connecting may take."
            ),
            .value(
                "requestTimeout",
                \.requestTimeout,
                as: .duration(.milliseconds(500)...(.seconds(60))),
                help: "How long one call may take."
            ),
            .value(
                "maxConcurrentChecks",
                \.maxConcurrentChecks,
                as: .integer(1...1000),
                help: "Status checks at one time."
            ),
            .value(
                "maxResponseBytes",
                \.maxResponseBytes,
                as: .integer(1024...1_048_576),
                help: "The largest answer, in bytes."
            ),
            .group(
                "guard",
                \.guarding,
                keys: guarding,
                help: "How its calls are bounded, and stopped while it is down."
            ),
            .optionalGroup(
                "webhook",
                \.webhook,
                keys: webhook,
                blank: WebhookSettings(),
                help: "Takes its webhooks, at /webhooks/ and its name here."
            ),
        ]
    }
}
