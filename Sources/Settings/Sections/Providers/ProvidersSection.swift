/// A face provider, by the kind of its adapter.
package enum ProviderSettings: Sendable, Equatable {
    case authID(AuthIDSettings)
    case http(HTTPProviderSettings)

    /// How its calls are bounded, and its webhooks.
    package var calls: any ProviderCallSettings {
        switch self {
        case .authID(let settings): settings
        case .http(let settings): settings
        }
    }

    /// Its webhooks; `nil` takes none.
    package var webhook: WebhookSettings? { calls.webhook }
}

extension ProviderSettings {
    /// Whether its page sends the browser back after the scan; what the adapter says too.
    package var returnsToUs: Bool {
        switch self {
        // authID's page has no parameter for it.
        case .authID: false
        case .http(let settings): settings.begin.request.namesCallback
        }
    }
}

extension ProviderSettings {
    /// The kind as the config writes it.
    package var kind: String {
        switch self {
        case .authID: "authid"
        case .http: "http"
        }
    }

    /// The URL of its API.
    package var baseURL: String {
        switch self {
        case .authID(let settings): settings.baseURL
        case .http(let settings): settings.baseURL
        }
    }
}

extension SettingsSchema {
    static let providers = SettingField<Settings>.map(
        "providers",
        each: provider,
        help: "The face providers, by name: keys, or a file with them beside this one.",
        blank: { _ in .authID(AuthIDSettings()) },
        insert: { settings, name, provider in settings.providers[name] = provider },
        elements: { settings in settings.providers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
    )

    static let provider = SettingSection<ProviderSettings>(
        kind: "kind",
        "Which adapter speaks to it.",
        [
            SettingVariant(
                "authid",
                authID,
                blank: AuthIDSettings(),
                wrap: { .authID($0) },
                unwrap: { provider in
                    switch provider {
                    case .authID(let settings): settings
                    case .http: nil
                    }
                }
            ),
            SettingVariant(
                "http",
                httpProvider,
                blank: HTTPProviderSettings(),
                wrap: { .http($0) },
                unwrap: { provider in
                    switch provider {
                    case .authID: nil
                    case .http(let settings): settings
                    }
                }
            ),
        ]
    )
}
