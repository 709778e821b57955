import Kernel

/// The hints of providers that a scan may have changed, and whether a check has begun since.
struct WebhookHints: Sendable {
    /// The shortest time between two checks of an operation that hints cause.
    static let interval: Duration = .milliseconds(500)

    private struct Hint {
        /// The time at which the check is due.
        let due: Uptime
        var isWaiting: Bool
    }

    private var hints: [Digest256: Hint] = [:]
    private var sweepAt = 1024

    var count: Int { hints.count }

    /// Notes a hint, and returns the time at which its check is due; `nil` when a check is already waiting.
    mutating func note(_ operation: Digest256, at now: Uptime) -> Uptime? {
        let last = hints[operation]
        if let last, last.isWaiting { return nil }
        let due = max(now, last.map { $0.due + Self.interval } ?? now)
        hints[operation] = Hint(due: due, isWaiting: true)
        if hints.count > sweepAt { sweep(now) }
        return due
    }

    /// Returns the time at which a waiting hint's check is due.
    func waiting(_ operation: Digest256) -> Uptime? {
        hints[operation].flatMap { $0.isWaiting ? $0.due : nil }
    }

    /// Notes that a check begins, which covers all earlier hints.
    mutating func beginCheck(of operation: Digest256) { hints[operation]?.isWaiting = false }

    /// Drops expired hints.
    ///
    /// A check that has not begun a minute after its due time belongs to an ended operation.
    private mutating func sweep(_ now: Uptime) {
        hints = hints.filter { $0.value.due + ($0.value.isWaiting ? .seconds(60) : Self.interval) > now }
        sweepAt = max(1024, hints.count * 2)
    }
}
