import Kernel
import Logging
import Synchronization

/// Which warnings were written lately, so that one cause fills neither the log nor the disk under it.
final class RepeatedLines: Sendable {
    /// The time in which one line is written for a cause.
    static let quiet: Duration = .seconds(10)
    /// How many causes are remembered.
    ///
    /// A new cause replaces the one that was written longest ago. Each cause has its first line, and so many others
    /// have to come between two lines of the same.
    static let most = 512

    struct Key: Hashable, Sendable {
        let level: Logger.Level
        let message: String
        /// The metadata that tell two causes of one message apart.
        let cause: String
    }

    /// A line that was held back, and how many there were.
    struct Held: Sendable {
        var count = 0
        var write: @Sendable (Int) -> Void
    }

    private struct Entry {
        let writtenAt: Uptime
        /// Which line of all that were written: the clock alone does not tell which of two came first.
        let number: Int
        var held: Held?
    }

    private struct Entries {
        var all: [Key: Entry] = [:]
        private var last = 0

        mutating func wasWritten(_ key: Key, at now: Uptime) {
            last += 1
            all[key] = Entry(writtenAt: now, number: last)
        }

        /// Makes room for a new cause.
        ///
        /// - Returns: The lines held back of the cause that is forgotten.
        mutating func forgetOldest() -> Held? {
            guard let oldest = all.min(by: { $0.value.number < $1.value.number }) else { return nil }
            all[oldest.key] = nil
            return oldest.value.held
        }
    }

    private let entries = Mutex(Entries())

    /// How many causes are remembered now.
    var count: Int { entries.withLock(\.all.count) }

    /// Holds a line back, or lets it be written.
    ///
    /// - Returns: How many like it were held back since the last one; `nil` for one that is held back itself.
    func admit(_ key: Key, at now: Uptime, write: @escaping @Sendable (Int) -> Void) -> Int? {
        let (repeated, forgotten) = entries.withLock { entries -> (Int?, Held?) in
            guard let entry = entries.all[key] else {
                let forgotten = entries.all.count < Self.most ? nil : entries.forgetOldest()
                entries.wasWritten(key, at: now)
                return (0, forgotten)
            }
            guard now - entry.writtenAt < Self.quiet else {
                entries.wasWritten(key, at: now)
                return (entry.held?.count ?? 0, nil)
            }
            entries.all[key]?.held = Held(count: (entry.held?.count ?? 0) + 1, write: write)
            return (nil, nil)
        }
        // The line itself is one of them.
        if let forgotten { forgotten.write(forgotten.count - 1) }
        return repeated
    }

    /// Writes the last of the lines that were held back for long enough, each with its count.
    func flush(at now: Uptime, all: Bool = false) {
        let due = entries.withLock { entries in
            var due: [Held] = []
            for (key, entry) in entries.all where all || now - entry.writtenAt >= Self.quiet {
                if let held = entry.held {
                    due.append(held)
                    entries.wasWritten(key, at: now)
                } else {
                    entries.all[key] = nil
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
struct DeduplicatingLogHandler: LogHandler {
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
        let cause = ["cause", "provider", "address"].map { key in
            (event.metadata?[key] ?? inner[metadataKey: key])?.description ?? ""
        }
        let key = RepeatedLines.Key(
            level: event.level,
            message: event.message.description,
            cause: cause.joined(separator: "|")
        )
        if let repeated = lines.admit(key, at: clock.now, write: write) { write(repeated) }
    }
}
