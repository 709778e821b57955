import Logging

/// What is logged.
struct LogSettings: Sendable, Equatable {
    var level: Logger.Level = .info
    /// Whether each request gets a line.
    var access = true
}
