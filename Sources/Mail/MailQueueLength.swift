import Synchronization

/// The number of undelivered mails, as far as this process knows it: the last count, with its own changes since.
///
/// A count in a unit that adds a mail would contradict every other unit that adds one at the same time. So the queue may
/// exceed its capacity by the mails of units in progress, and by those that other daemons have added since the last
/// count. A mail whose unit became durable while the queue was counted may be in both, so that the number is too great
/// until the next count.
final class MailQueueLength: Sendable {
    private struct State {
        /// `nil` until the queue was counted.
        var length: Int?
        /// The sum of all changes since the start.
        var changes = 0
    }

    private let state = Mutex(State())

    /// `nil` until the queue was counted.
    var current: Int? { state.withLock(\.length) }

    /// A mark to be taken before the queue is counted.
    var mark: Int { state.withLock(\.changes) }

    /// Notes a count of the queue, to which the changes since the mark are added.
    func note(_ counted: Int, since mark: Int) {
        state.withLock { $0.length = max(0, counted + $0.changes - mark) }
    }

    /// Notes mails that were durably added, or with a negative number removed.
    func change(by count: Int) {
        state.withLock { state in
            state.changes += count
            state.length = state.length.map { max(0, $0 + count) }
        }
    }
}
