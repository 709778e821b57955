import FaceProviders

extension SettingsSchema {
    /// The keys that providers of every kind have.
    static let providerCalls: [SettingField<ProviderSettings>] = [
        .value(
            "connectTimeout",
            \.calls.connectTimeout,
            as: .duration(.milliseconds(100)...(.seconds(30))),
            help: "How long connecting may take."
        ),
        .value(
            "requestTimeout",
            \.calls.requestTimeout,
            as: .duration(.milliseconds(500)...(.seconds(60))),
            help: "How long one call may take."
        ),
        .value(
            "maxConcurrentChecks",
            \.calls.checkConcurrency,
            as: .integer(1...1000),
            help: "Status checks at one time."
        ),
        .value(
            "maxResponseBytes",
            \.calls.maxResponseBytes,
            as: .integer(1024...1_048_576),
            help: "The largest answer, in bytes."
        ),
        .group(
            "guard",
            \.self,
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
