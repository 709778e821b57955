/// One of the sets of routes for different kinds of clients.
package struct SurfaceSettings: Sendable, Equatable {
    package var name = ""
    package var enabled = false
    /// Whether people can create accounts through it.
    package var registration = false
    /// The client of requests that name none.
    package var client: String?

    /// The names of all surfaces.
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
