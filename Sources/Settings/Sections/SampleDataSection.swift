/// `GET /api/data`, an example of a protected resource.
package struct SampleDataSettings: Sendable, Equatable {
    /// The client whose tokens it accepts; `nil`: it is off.
    package var client: String?
}

extension SettingsSchema {
    static let sampleData = SettingSection<SampleDataSettings>([
        .value(
            "client",
            \.client,
            as: SettingRule<String>.name.optional,
            help: "The client that GET /api/data is for. Without it that address is not served.",
            example: "myvoo"
        )
    ])
}
