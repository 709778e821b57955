/// The destination of the audit's signed checkpoints, and their interval.
package struct AuditSettings: Sendable, Equatable {
    /// A file with one checkpoint per line, or the name of an ``Output``.
    package var checkpoints: String
    package var checkpointInterval: Duration = .seconds(300)

    /// What takes each checkpoint as a line, in the place of a file.
    package enum Output: String, Sendable {
        case standardOutput = "stdout"
        /// For a command without a daemon, whose standard output has what it prints. The config can't name it.
        case standardError = "stderr"
    }

    package init(dataFolder: String) { checkpoints = dataFolder + "/audit/checkpoints.jws" }

    /// `nil` for a file, whose path is absolute.
    package var output: Output? { Output(rawValue: checkpoints) }
}

extension SettingsSchema {
    static let audit = SettingSection<AuditSettings>([
        .value(
            "checkpoints",
            \.checkpoints,
            as: .checkpoints,
            help:
                "The file that checkpoints are appended to. Copy it to another machine. PostgreSQL keeps them too, and also "
                + "takes stdout, for a daemon without a disk."
        ),
        .value(
            "checkpointInterval",
            \.checkpointInterval,
            as: .duration(.seconds(1)...(.days(1))),
            help: "The time between two checkpoints, if there are new rows."
        ),
    ])
}

extension SettingRule where Value == String {
    /// A file, or the word for standard output.
    fileprivate static var checkpoints: Self {
        Self(expected: "stdout, or a path, relative to the data folder or absolute") {
            text,
            key,
            reading throws(SettingError) in
            guard text != AuditSettings.Output.standardOutput.rawValue else { return text }
            return try Self.path.parse(text, key, &reading)
        }
    }
}
