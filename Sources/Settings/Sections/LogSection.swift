package import Logging

/// The log's level, and whether requests are logged.
package struct LogSettings: Sendable, Equatable {
    package var level: Logger.Level = .info
    /// Whether each request is logged in a line.
    package var access = true
}

extension SettingsSchema {
    static let log = SettingSection<LogSettings>([
        .value("level", \.level, as: .choice, help: "The lowest level that is logged."),
        .value("access", \.access, as: .flag, help: "A line for each request, without its query."),
    ])
}
