import Kernel

/// When a provider said that there is news about an operation, and whether it was asked since.
struct WebhookHints: Sendable {
    /// The shortest time between two checks that hints bring about.
    static let interval: Duration = .milliseconds(500)

    private struct Hint {
        /// When the check is due.
        let due: Uptime
        var isWaiting: Bool
    }

    private var hints: [Digest256: Hint] = [:]
    private var sweepAt = 1024

    var count: Int { hints.count }

    /// When the check is due that a hint at `now` brings about; `nil` when one waits already.
    mutating func note(_ operation: Digest256, at now: Uptime) -> Uptime? {
        let last = hints[operation]
        if let last, last.isWaiting { return nil }
        let due = max(now, last.map { $0.due + Self.interval } ?? now)
        hints[operation] = Hint(due: due, isWaiting: true)
        if hints.count > sweepAt { sweep(now) }
        return due
    }

    /// When the check is due that a hint waits for.
    func waiting(_ operation: Digest256) -> Uptime? {
        hints[operation].flatMap { $0.isWaiting ? $0.due : nil }
    }

    /// The provider is asked.
    mutating func heed(_ operation: Digest256) { hints[operation]?.isWaiting = false }

    /// Drops what no longer bounds anything; a check that nobody made in a minute was of an operation that ended.
    private mutating func sweep(_ now: Uptime) {
        hints = hints.filter { $0.value.due + ($0.value.isWaiting ? .seconds(60) : Self.interval) > now }
        sweepAt = max(1024, hints.count * 2)
    }
}
