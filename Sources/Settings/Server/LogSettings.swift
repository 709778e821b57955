package import Logging

/// The choice of what is logged.
package struct LogSettings: Sendable, Equatable {
    package var level: Logger.Level = .info
    /// Whether each request gets a line.
    package var access = true
}
