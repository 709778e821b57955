import Logging
import Synchronization

/// Keeps every line that is logged, at every level.
final class LogRecorder: Sendable {
    /// One line.
    struct Line: Sendable {
        let level: Logger.Level
        let message: String
        let metadata: [String: String]

        /// All of it, as a log would have it.
        var text: String { "\(level) \(message) \(metadata)" }
    }

    private let recorded = Mutex<[Line]>([])

    var lines: [Line] { recorded.withLock { $0 } }

    /// The access log.
    var requests: [Line] { lines.filter { $0.message == "request" } }

    var logger: Logger {
        var logger = Logger(label: "test") { _ in Handler(recorder: self) }
        logger.logLevel = .trace
        return logger
    }

    /// For a handler that stands before it.
    var handler: any LogHandler { Handler(recorder: self) }

    private func record(_ line: Line) { recorded.withLock { $0.append(line) } }

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
            recorder.record(
                Line(level: event.level, message: "\(event.message)", metadata: all.mapValues { "\($0)" })
            )
        }
    }
}
