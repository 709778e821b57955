package import Logging
import Synchronization

/// Keeps every line that is logged, at every level.
package final class LogRecorder: Sendable {
    /// One line.
    package struct Line: Sendable {
        package let level: Logger.Level
        package let message: String
        package let metadata: [String: String]
        fileprivate let error: String

        /// All of it, as a log would have it.
        package var text: String { "\(level) \(message) \(metadata) \(error)" }
    }

    private let recorded = Mutex<[Line]>([])

    package init() {}

    package var lines: [Line] { recorded.withLock { $0 } }
    package var text: String { lines.map(\.text).joined(separator: "\n") }

    /// The access log.
    package var requests: [Line] { lines.filter { $0.message == "request" } }

    package var logger: Logger {
        var logger = Logger(label: "test") { _ in Handler(recorder: self) }
        logger.logLevel = .trace
        return logger
    }

    /// The handler that a test puts in front of it.
    package var handler: any LogHandler { Handler(recorder: self) }

    private struct Handler: LogHandler {
        let recorder: LogRecorder
        var metadata: Logger.Metadata = [:]
        var logLevel: Logger.Level = .trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
            let line = Line(
                level: event.level,
                message: "\(event.message)",
                metadata: all.mapValues { "\($0)" },
                error: event.error.map { "\($0)" } ?? ""
            )
            recorder.recorded.withLock { $0.append(line) }
        }
    }
}
