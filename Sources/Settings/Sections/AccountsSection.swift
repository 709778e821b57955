/// The rules for accounts that people open themselves.
package struct AccountSettings: Sendable, Equatable {
    /// Whether an address is an account's only once its owner has proved it; before, no face is enrolled either.
    package var requireVerifiedEmail = true
}

extension SettingsSchema {
    static let accounts = SettingSection<AccountSettings>([
        .value(
            "requireVerifiedEmail",
            \.requireVerifiedEmail,
            as: .flag,
            help: "Whether an address is the account's only once it was proved; before, no face is enrolled."
        )
    ])
}
