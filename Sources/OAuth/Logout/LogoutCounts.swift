internal import Kernel
internal import Synchronization

/// The outcome of an attempt to deliver a logout notice.
package enum LogoutOutcome: String, Sendable, CaseIterable {
    case delivered
    /// The attempt failed, and another one follows.
    case retried
    /// The client refused the notice for good.
    case refused
    /// The notice was given up after a day, or after too many attempts.
    case expired
}

/// The number of each outcome since the start, and the state of the queue when it was last counted.
package final class LogoutCounts: Sendable {
    private struct State {
        var outcomes: [LogoutOutcome: Int] = [:]
        var queue = NoticeQueueState(waiting: 0, oldest: nil)
        var countedAt: Uptime?
    }

    /// The shortest time between two counts, because a count reads the whole queue.
    private static let pause = Duration.seconds(5)

    private let state = Mutex(State())

    package subscript(outcome: LogoutOutcome) -> Int { state.withLock { $0.outcomes[outcome] ?? 0 } }

    package var queue: NoticeQueueState { state.withLock(\.queue) }

    func add(_ outcome: LogoutOutcome) { state.withLock { $0.outcomes[outcome, default: 0] += 1 } }

    /// Whether the queue is to be counted again.
    func isDue(at now: Uptime) -> Bool { state.withLock { $0.countedAt.map { now - $0 >= Self.pause } ?? true } }

    func note(_ queue: NoticeQueueState, at now: Uptime) {
        state.withLock { state in
            state.queue = queue
            state.countedAt = now
        }
    }
}
