import Synchronization

/// When each login changed, and when each client heard of it.
final class WakeLedger: Sendable {
    private struct Entries {
        var changes: [ContinuousClock.Instant?]
        var told: [(login: Int, at: ContinuousClock.Instant)] = []
        var waiting = 0
        var fault: String?
    }

    private let entries: Mutex<Entries>

    init(logins: Int) { entries = Mutex(Entries(changes: Array(repeating: nil, count: logins))) }

    func changed(_ login: Int, at instant: ContinuousClock.Instant) {
        entries.withLock { $0.changes[login] = instant }
    }

    /// A client has asked, and is not answered yet.
    func waits() { entries.withLock { $0.waiting += 1 } }

    func told(_ login: Int, at instant: ContinuousClock.Instant) {
        entries.withLock { $0.told.append((login, instant)) }
    }

    /// Something is wrong, so that there is nothing to measure; the first such counts.
    func fail(_ text: String) { entries.withLock { $0.fault = $0.fault ?? text } }

    var waiting: Int { entries.withLock(\.waiting) }
    var told: Int { entries.withLock(\.told.count) }
    var fault: String? { entries.withLock(\.fault) }

    /// From each change to each client that heard of it, in ascending order.
    var wakeUps: [Duration] {
        entries.withLock { entries in
            entries.told.compactMap { told in entries.changes[told.login].map { told.at - $0 } }.sorted()
        }
    }
}
