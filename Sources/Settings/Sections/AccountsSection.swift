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
            help: "Whether an account gets an address only after proof of it. Until then no face is enrolled."
        )
    ])
}
