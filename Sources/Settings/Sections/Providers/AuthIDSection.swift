package import FaceProviders
package import Kernel
import Operations

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

extension SettingsSchema {
    static let authID = SettingSection<AuthIDSettings>(
        [
            .value("baseURL", \.baseURL, as: .secureServerURL, help: "Where its API is.", required: true),
            .value("pageURL", \.pageURL, as: .secureServerURL, help: "Where its scan page is; by default baseURL."),
            .value("keyID", \.keyID, as: .basicUser, help: "The id of the API key.", required: true),
            .value("keyValue", \.keyValue, as: .secret, help: "The API key.", required: true),
        ] + providerCalls(),
        finish: { settings in
            if settings.pageURL.isEmpty { settings.pageURL = settings.baseURL }
        }
    )
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
