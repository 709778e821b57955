/// One of the sets of routes that clients in the field speak.
package struct SurfaceSettings: Sendable, Equatable {
    package var name = ""
    package var enabled = false
    /// Whether people open accounts there themselves.
    package var registration = false
    /// The client of a request that names none.
    package var client: String?

    /// The surfaces that there are.
    package static let names = ["bbms", "mobile", "yapt", "passkeys"]
}

extension SettingsSchema {
    static let surfaces = SettingField<Settings>.map(
        "surfaces",
        \.surfaces,
        each: surface,
        names: SurfaceSettings.names,
        help: "The sets of routes that are served.",
        blank: { SurfaceSettings(name: $0) }
    )

    static let surface = SettingSection<SurfaceSettings>([
        .value("enabled", \.enabled, as: .flag, help: "Whether its routes are served."),
        .value("registration", \.registration, as: .flag, help: "Whether people can open accounts on it themselves."),
        .value(
            "client",
            \.client,
            as: SettingRule<String>.name.optional,
            help: "The client of requests that name no client.",
            example: "bbms"
        ),
    ])
}

extension SettingRule where Value == String {
    /// The name of a surface.
    static var surface: Self {
        let names = SurfaceSettings.names.joined(separator: ", ")
        return Self(expected: "one of \(names)", type: .choice(names)) { text, _, _ throws(SettingError) in
            guard SurfaceSettings.names.contains(text) else { throw .refusing(text, "is not one of \(names)") }
            return text
        }
    }
}
