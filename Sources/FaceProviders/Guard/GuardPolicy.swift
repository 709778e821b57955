/// How a provider's calls are bounded.
package struct GuardPolicy: Sendable, Equatable {
    /// For one call as a whole: its wait for a place, its token, its retries.
    package var callTimeout: Duration
    /// How often a failed status check is tried again at once.
    ///
    /// A start never is: nobody knows whether it was one.
    package var retries: Int
    /// Scans being started at one time; checks have a figure of their own, and neither waits for the other.
    package var concurrentStarts: Int
    /// Calls of a kind that may wait for a place; one more is held back at once.
    package var queued: Int
    package var circuit: CircuitBreaker.Policy

    package init(
        callTimeout: Duration = .seconds(20),
        retries: Int = 1,
        concurrentStarts: Int = 32,
        queued: Int = 512,
        circuit: CircuitBreaker.Policy = .init()
    ) {
        self.callTimeout = callTimeout
        self.retries = retries
        self.concurrentStarts = concurrentStarts
        self.queued = queued
        self.circuit = circuit
    }
}

/// How long to wait before a call is tried again: anything from nothing to a bound that doubles, so that those who
/// failed together don't come back together.
package enum RetryDelay {
    package static let first: Duration = .milliseconds(200)
    package static let longest: Duration = .seconds(2)

    /// Before the retry of that number, counted from 0; `jitter` is in `0 ..< 1`.
    package static func before(_ retry: Int, jitter: Double) -> Duration {
        let bound = min(longest, first * (1 << min(max(retry, 0), 16)))
        return bound * jitter
    }
}
