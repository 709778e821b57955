package import Kernel
import Synchronization

/// The budget for database reads of operation ids that clients send.
///
/// An id that is not in the cache costs one read, and guessed ids must not overload the disk.
package final class StoreLookups: Sendable {
    /// The budget is used up; `retryAfter` is the time until the next read is allowed.
    package struct BudgetExceededError: Error, Equatable, Sendable {
        package let retryAfter: Duration
    }

    /// Far more reads than clients cause that return after ten minutes, and far fewer than a disk can serve.
    private static let limit = RateLimit(burst: 400, every: .milliseconds(5))

    private let clock: any MonotonicClock
    private let use: Mutex<RateLimit.Use>?
    private let refused = Atomic<Int>(0)

    /// `isLimited`: `false` only for benchmarks.
    package init(clock: any MonotonicClock, isLimited: Bool = true) {
        self.clock = clock
        use = isLimited ? Mutex(RateLimit.Use()) : nil
    }

    /// The number of refused reads since the start.
    package var refusedCount: Int { refused.load(ordering: .relaxed) }

    func take() throws(BudgetExceededError) {
        guard let wait = use?.withLock({ Self.limit.take(&$0, at: clock.now) }) else { return }
        refused.wrappingAdd(1, ordering: .relaxed)
        throw BudgetExceededError(retryAfter: wait)
    }
}
