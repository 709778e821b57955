/// What the config says of every provider, whatever its adapter: how its calls are bounded, and its webhooks.
package protocol ProviderCallSettings: Sendable {
    var connectTimeout: Duration { get set }
    /// What one request may take.
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
                .duration(.milliseconds(100)...(.seconds(30))),
                "How long connecting may take."
            ),
            .value(
                "requestTimeout",
                \.requestTimeout,
                .duration(.milliseconds(500)...(.seconds(60))),
                "How long one call may take."
            ),
            .value("maxConcurrentChecks", \.maxConcurrentChecks, .integer(1...1000), "Status checks at one time."),
            .value("maxResponseBytes", \.maxResponseBytes, .integer(1024...1_048_576), "The largest answer, in bytes."),
            .group("guard", \.guarding, guarding, "How its calls are bounded, and stopped while it is down."),
            .optionalGroup(
                "webhook",
                \.webhook,
                webhook,
                blank: WebhookSettings(),
                "Takes its webhooks, at /webhooks/ and its name here."
            ),
        ]
    }
}
