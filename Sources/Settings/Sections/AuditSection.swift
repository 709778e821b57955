/// The destination of the audit's signed checkpoints, and their interval.
package struct AuditSettings: Sendable, Equatable {
    /// A file with one checkpoint per line.
    package var checkpoints: String
    package var checkpointInterval: Duration = .seconds(300)

    package init(dataFolder: String) { checkpoints = dataFolder + "/audit/checkpoints.jws" }
}

extension SettingsSchema {
    static let audit = SettingSection<AuditSettings>([
        .value(
            "checkpoints",
            \.checkpoints,
            as: .path,
            help: "The file that checkpoints are appended to. Copy it to another machine."
        ),
        .value(
            "checkpointInterval",
            \.checkpointInterval,
            as: .duration(.seconds(1)...(.days(1))),
            help: "The time between two checkpoints, if there are new rows."
        ),
    ])
}
