import Kernel
import Logging
import Synchronization

/// The warnings that were written recently, so that a repeated one fills neither the log nor the disk.
final class RepeatedLines: Sendable {
    /// The time in which a cause is logged at most once.
    static let quiet: Duration = .seconds(10)
    /// The number of causes that are remembered.
    ///
    /// A new cause replaces the one that was written longest ago, and its first line is always written. So a cause can
    /// only be written twice within ``quiet`` if this many others come in between.
    static let most = 512

    struct Key: Hashable, Sendable {
        let level: Logger.Level
        let message: String
        /// The metadata that distinguish causes with the same message.
        let cause: String
    }

    /// The last line that was held back, and the number of lines held back.
    struct Held: Sendable {
        var count = 0
        var write: @Sendable (Int) -> Void
    }

    private struct Entry {
        let writtenAt: Uptime
        /// The position in the order of writing, because the times of two lines may be equal.
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

        /// Removes the oldest cause to make room for a new one.
        ///
        /// - Returns: The line held back for the removed cause.
        mutating func forgetOldest() -> Held? {
            guard let oldest = all.min(by: { $0.value.number < $1.value.number }) else { return nil }
            all[oldest.key] = nil
            return oldest.value.held
        }
    }

    private let entries = Mutex(Entries())

    /// The number of causes remembered now.
    var count: Int { entries.withLock(\.all.count) }

    /// Decides whether a line is written or held back.
    ///
    /// - Returns: The number of lines held back since the last one was written. `nil` if this line is held back.
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
        // The line being written is not counted as a repetition.
        if let forgotten { forgotten.write(forgotten.count - 1) }
        return repeated
    }

    /// Writes the last held-back line of each cause whose ``quiet`` time has passed, with the count.
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
        // The line being written is not counted as a repetition.
        for held in due { held.write(held.count - 1) }
    }

    /// Flushes until the daemon stops, and then once more.
    func run(_ clock: any MonotonicClock) async {
        while !Task.isCancelled {
            do { try await clock.sleep(until: clock.now + .seconds(5)) } catch { break }
            flush(at: clock.now)
        }
        flush(at: clock.now, all: true)
    }
}

/// Writes warnings and errors at most once in ten seconds for each cause.
///
/// `repeated` says how many were held back.
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
        // The ids of requests differ, so only the metadata for a cause, a provider or an address distinguish causes.
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
