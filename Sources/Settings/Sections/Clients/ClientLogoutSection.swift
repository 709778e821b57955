import OAuth

extension SettingsSchema {
    static let logoutEndpoint = SettingSection<LogoutEndpoint>([
        .value(
            "uri",
            \.uri,
            as: .redirectURI,
            help: "The address that logout tokens are sent to: https, on a laptop also http on this machine.",
            required: true,
            example: "https://app.example.com/backchannel-logout"
        ),
        .value(
            "sessionRequired",
            \.isSessionRequired,
            as: .flag,
            help: "Whether it needs the session's id (sid) in each logout token. All of them have it."
        ),
    ])
}
