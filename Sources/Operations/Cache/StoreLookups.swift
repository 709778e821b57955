package import Kernel
import Synchronization

/// The budget for store reads that ids from outside can cause.
///
/// An id that is not in the cache costs one read, and guessed ids must not wear out the disk.
package final class StoreLookups: Sendable {
    /// The error for a read beyond the budget; `retryAfter` is when to ask again.
    package struct BudgetExceededError: Error, Equatable, Sendable {
        package let retryAfter: Duration
    }

    /// The limit is far above the reads of clients that return after ten minutes, and far below what a disk can do.
    private static let limit = RateLimit(burst: 400, every: .milliseconds(5))

    private let clock: any MonotonicClock
    private let use: Mutex<RateLimit.Use>?
    private let refused = Atomic<Int>(0)

    /// `isLimited`: `false` only for benchmarks.
    package init(clock: any MonotonicClock, isLimited: Bool = true) {
        self.clock = clock
        use = isLimited ? Mutex(RateLimit.Use()) : nil
    }

    /// How many were refused since the start.
    package var refusedCount: Int { refused.load(ordering: .relaxed) }

    func take() throws(BudgetExceededError) {
        guard let wait = use?.withLock({ Self.limit.take(&$0, at: clock.now) }) else { return }
        refused.wrappingAdd(1, ordering: .relaxed)
        throw BudgetExceededError(retryAfter: wait)
    }
}
