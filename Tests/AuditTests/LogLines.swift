import Logging
import Synchronization

/// The lines that were logged, with their metadata.
final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

    private struct Handler: LogHandler {
        let log: LogLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let values = (event.metadata ?? [:]).map { "\($0.key)=\($0.value)" }.sorted()
            log.lines.withLock { $0.append("\(event.level) \(event.message) \(values.joined(separator: ", "))") }
        }
    }
}
