import FaceProviders
import Kernel

extension SettingsSchema {
    static let authID = SettingSection<ProviderSettings>(
        [
            .value("baseURL", \.authID.baseURL, as: .secureServerURL, help: "The address of its API.", required: true),
            .value(
                "pageURL",
                \.authID.pageURL,
                as: .secureServerURL,
                help: "The address of its scan page, by default baseURL."
            ),
            .value("keyID", \.authID.keyID, as: .basicUser, help: "The id of the API key.", required: true),
            .value("keyValue", \.authID.keyValue, as: .secret, help: "The API key.", required: true),
        ] + providerCalls,
        finish: { provider in
            if provider.authID.pageURL.isEmpty { provider.authID.pageURL = provider.authID.baseURL }
        }
    )
}

extension AuthIDConfiguration {
    /// An authID account whose keys are not read yet.
    static let unread = Self(baseURL: "", pageURL: "", keyID: Secret(""), keyValue: Secret(""))
}

extension ProviderSettings {
    /// The account of a provider of `kind: authid`, and ``unread`` for another kind.
    fileprivate var authID: AuthIDConfiguration {
        get { if case .authID(let account) = adapter { account } else { .unread } }
        set { adapter = .authID(newValue) }
    }
}
