import Kernel

/// A face provider, by the kind of its adapter.
enum ProviderSettings: Sendable, Equatable {
    case authID(AuthIDSettings)
    case http(HTTPProviderSettings)

    /// How its calls are bounded, and its webhooks.
    var calls: any ProviderCallSettings {
        switch self {
        case .authID(let settings): settings
        case .http(let settings): settings
        }
    }

    /// Its webhooks; `nil` takes none.
    var webhook: WebhookSettings? { calls.webhook }
}

/// An account at authID, or at the mock that speaks its API.
struct AuthIDSettings: ProviderCallSettings, Equatable {
    /// Where the API is, without a trailing slash.
    var baseURL = ""
    /// Where the scan page is, without a trailing slash; the API's host unless the config says otherwise.
    var pageURL = ""
    var keyID = Secret("")
    var keyValue = Secret("")
    var connectTimeout: Duration = .seconds(3)
    var requestTimeout: Duration = .seconds(10)
    /// Status checks on their way at one time.
    var maxConcurrentChecks = 32
    var maxResponseBytes = 65_536
    var guarding = GuardSettings()
    var webhook: WebhookSettings?
}

extension ProviderSettings {
    /// Whether its page sends the browser back after the scan; what the adapter says too.
    var returnsToUs: Bool {
        switch self {
        // authID's page has no parameter for it.
        case .authID: false
        case .http(let settings): settings.begin.request.namesCallback
        }
    }
}
