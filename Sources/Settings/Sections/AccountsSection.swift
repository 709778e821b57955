/// The rules for accounts that people create themselves.
package struct AccountSettings: Sendable, Equatable {
    /// Whether an account gets its address only after its owner has proved it.
    ///
    /// Until then no face can be enrolled either.
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
