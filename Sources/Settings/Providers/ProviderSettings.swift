package import FaceProviders
package import Kernel
import Operations

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

/// An account at authID, or at the mock that speaks its API.
package struct AuthIDSettings: ProviderCallSettings, Equatable {
    /// The URL of the API, without a trailing slash.
    package var baseURL = ""
    /// The URL of the scan page, without a trailing slash; the API's host unless the config says otherwise.
    package var pageURL = ""
    package var keyID = Secret("")
    package var keyValue = Secret("")
    package var connectTimeout: Duration = .seconds(3)
    package var requestTimeout: Duration = .seconds(10)
    /// Status checks on their way at one time.
    package var maxConcurrentChecks = 32
    package var maxResponseBytes = 65_536
    package var guarding = GuardSettings()
    package var webhook: WebhookSettings?
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

extension AuthIDConfiguration {
    package init(_ name: String, _ settings: AuthIDSettings) {
        self.init(
            name: ProviderName(name),
            baseURL: settings.baseURL,
            pageURL: settings.pageURL,
            keyID: settings.keyID,
            keyValue: settings.keyValue,
            connectTimeout: settings.connectTimeout,
            requestTimeout: settings.requestTimeout,
            checkConcurrency: settings.maxConcurrentChecks,
            startConcurrency: settings.guarding.policy.concurrentStarts,
            maxResponseBytes: settings.maxResponseBytes
        )
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
