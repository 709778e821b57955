package import FaceProviders
package import Outbound

/// A face provider: its adapter, the bounds of its calls, and its webhooks.
package struct ProviderSettings: Sendable, Equatable {
    package var adapter: Adapter
    /// The bounds of its calls, except for the timeout of one call.
    package var guarding = GuardPolicy()
    /// The timeout of a call with its wait, token and retries; `nil`: twice the timeout of one request.
    package var callTimeout: Duration?
    /// `nil`: the provider sends no webhooks.
    package var webhook: WebhookSettings?

    package init(_ adapter: Adapter) { self.adapter = adapter }

    /// The configuration of an adapter, by its kind.
    package enum Adapter: Sendable, Equatable {
        case authID(AuthIDConfiguration)
        case http(HTTPTemplateConfiguration)
    }

    /// The bounds of the adapter's requests.
    package var calls: CallLimits {
        get {
            switch adapter {
            case .authID(let account): account.calls
            case .http(let described): described.calls
            }
        }
        set {
            switch adapter {
            case .authID(var account):
                account.calls = newValue
                adapter = .authID(account)
            case .http(var described):
                described.calls = newValue
                adapter = .http(described)
            }
        }
    }

    /// The policy of the provider's guard, with the timeout of a call.
    package var guardPolicy: GuardPolicy {
        var policy = guarding
        policy.callTimeout = callTimeout ?? calls.requestTimeout * 2
        return policy
    }

    /// The limits of the provider's HTTP client.
    package var outboundLimits: OutboundLimits { calls.outbound(starts: guarding.concurrentStarts) }

    /// Whether the provider's page sends the browser back after the scan, which the adapter reports too.
    package var returnsToUs: Bool {
        switch adapter {
        // authID's page has no parameter for a return address.
        case .authID: false
        case .http(let described): described.begin.request.namesCallback
        }
    }

    /// The kind as the config writes it.
    package var kind: String {
        switch adapter {
        case .authID: "authid"
        case .http: "http"
        }
    }

    /// The base URL of the provider's API.
    package var baseURL: String {
        switch adapter {
        case .authID(let account): account.baseURL
        case .http(let described): described.baseURL
        }
    }
}

extension SettingsSchema {
    static let providers = SettingField<Settings>.map(
        "providers",
        \.providers,
        each: provider,
        help: "The face providers, by name: keys, or a file with them beside this one.",
        blank: { _ in ProviderSettings(.authID(.unread)) }
    )

    static let provider = SettingSection<ProviderSettings>(
        kind: "kind",
        "The adapter for its API.",
        [
            SettingVariant(
                "authid",
                authID,
                blank: ProviderSettings(.authID(.unread)),
                wrap: { $0 },
                unwrap: { if case .authID = $0.adapter { $0 } else { nil } }
            ),
            SettingVariant(
                "http",
                httpProvider,
                blank: ProviderSettings(.http(.unread)),
                wrap: { $0 },
                unwrap: { if case .http = $0.adapter { $0 } else { nil } }
            ),
        ]
    )
}
