/// `GET /api/data`, the sample of a resource.
package struct SampleDataSettings: Sendable, Equatable {
    /// The client that it serves; `nil` for none.
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
