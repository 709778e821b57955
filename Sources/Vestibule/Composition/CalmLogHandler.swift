import Kernel
import Logging
import Synchronization

/// Which warnings were written lately, so that one cause fills neither the log nor the disk under it.
final class RepeatedLines: Sendable {
    /// Of the same cause one line is written in that time.
    static let quiet: Duration = .seconds(10)
    /// Causes that are remembered; further ones are written each time.
    static let most = 512

    struct Key: Hashable, Sendable {
        let level: Logger.Level
        let message: String
        /// What tells two causes of one message apart.
        let cause: String
    }

    /// A line that was held back, and how many there were.
    struct Held: Sendable {
        var count = 0
        var write: @Sendable (Int) -> Void
    }

    private struct Entry {
        var writtenAt: Uptime
        var held: Held?
    }

    private let entries = Mutex<[Key: Entry]>([:])

    /// Holds a line back, or lets it be written.
    ///
    /// - Returns: How many like it were held back since the last one; `nil` for one that is held back itself.
    func admit(_ key: Key, at now: Uptime, write: @escaping @Sendable (Int) -> Void) -> Int? {
        entries.withLock { entries in
            guard let entry = entries[key] else {
                if entries.count >= Self.most { entries = entries.filter { now - $0.value.writtenAt < Self.quiet } }
                if entries.count < Self.most { entries[key] = Entry(writtenAt: now) }
                return 0
            }
            guard now - entry.writtenAt < Self.quiet else {
                entries[key] = Entry(writtenAt: now)
                return entry.held?.count ?? 0
            }
            entries[key]?.held = Held(count: (entry.held?.count ?? 0) + 1, write: write)
            return nil
        }
    }

    /// Writes the last of the lines that were held back for long enough, each with its count.
    func flush(at now: Uptime, all: Bool = false) {
        let due = entries.withLock { entries in
            var due: [Held] = []
            for (key, entry) in entries where all || now - entry.writtenAt >= Self.quiet {
                if let held = entry.held {
                    due.append(held)
                    entries[key] = Entry(writtenAt: now)
                } else {
                    entries[key] = nil
                }
            }
            return due
        }
        // The line itself is one of them.
        for held in due { held.write(held.count - 1) }
    }

    /// Flushes until the daemon stops, and once more then.
    func run(_ clock: any MonotonicClock) async {
        while !Task.isCancelled {
            do { try await clock.sleep(until: clock.now + .seconds(5)) } catch { break }
            flush(at: clock.now)
        }
        flush(at: clock.now, all: true)
    }
}

/// Writes warnings and worse at most once in ten seconds for each cause; `repeated` says how many more there were.
struct CalmLogHandler: LogHandler {
    private var inner: any LogHandler & Sendable
    private let lines: RepeatedLines
    private let clock: any MonotonicClock

    init(_ inner: any LogHandler & Sendable, lines: RepeatedLines, clock: any MonotonicClock) {
        self.inner = inner
        self.lines = lines
        self.clock = clock
    }

    var logLevel: Logger.Level {
        get { inner.logLevel }
        set { inner.logLevel = newValue }
    }

    var metadata: Logger.Metadata {
        get { inner.metadata }
        set { inner.metadata = newValue }
    }

    var metadataProvider: Logger.MetadataProvider? {
        get { inner.metadataProvider }
        set { inner.metadataProvider = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { inner[metadataKey: key] }
        set { inner[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) {
        let write = { @Sendable [inner] (repeated: Int) in
            var event = event
            if repeated > 0 { event.metadata = (event.metadata ?? [:]).merging(["repeated": "\(repeated)"]) { $1 } }
            inner.log(event: event)
        }
        guard event.level >= .warning else { return inner.log(event: event) }
        // Requests differ in their ids; what names a cause, a provider or an address tells causes apart.
        let cause = ["cause", "provider", "address"].map { event.metadata?[$0]?.description ?? "" }
        let key = RepeatedLines.Key(
            level: event.level,
            message: event.message.description,
            cause: cause.joined(separator: "|")
        )
        if let repeated = lines.admit(key, at: clock.now, write: write) { write(repeated) }
    }
}
