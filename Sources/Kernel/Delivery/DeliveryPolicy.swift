/// How a queue is delivered: how many at one time, under which leases, and when again.
package struct DeliveryPolicy: Sendable, Equatable {
    /// Deliveries in progress at one time.
    package let concurrency: Int
    /// The same of one group (``QueuedDelivery/concurrencyGroup``): a recipient that hangs holds up its own deliveries, and
    /// nobody else's.
    package let concurrencyPerGroup: Int
    /// Longer than the transport ever takes, or a slow recipient gets a payload twice.
    package let leaseTime: Duration
    package let retries: RetrySchedule

    /// How long a signal may go unheard.
    static let signalCheck: Duration = .milliseconds(100)
    /// How long a worker waits after an error of the store, and before it checks again for deliveries without capacity.
    static let pauseAfterFault: Duration = .seconds(1)
    /// The longest time between two looks at the store, whatever the signal says.
    static let longestRest: Duration = .seconds(30)

    package init(
        concurrency: Int,
        concurrencyPerGroup: Int? = nil,
        leaseTime: Duration = .seconds(60),
        retries: RetrySchedule
    ) {
        self.concurrency = concurrency
        self.concurrencyPerGroup = concurrencyPerGroup ?? concurrency
        self.leaseTime = leaseTime
        self.retries = retries
    }
}

/// The delays before a failed delivery is tried again: exponential backoff with full jitter, so that deliveries that
/// failed together are retried apart.
package struct RetrySchedule: Sendable, Equatable {
    /// The first delay at the most; each failure doubles it.
    package let base: Duration
    /// The longest delay.
    package let cap: Duration
    /// The shortest time between two tries.
    package let least: Duration
    /// After so many failures a payload is given up.
    package let maxAttempts: Int

    package init(base: Duration, cap: Duration, least: Duration = .milliseconds(500), maxAttempts: Int = 1000) {
        self.base = base
        self.cap = cap
        self.least = least
        self.maxAttempts = maxAttempts
    }

    /// Returns the delay after that many failures; `jitter` in `0 ..< 1`.
    package func delay(after failures: Int, jitter: Double, atMost longest: Duration? = nil) -> Duration {
        let longest = min(cap, longest ?? cap)
        var bound = base
        var doublings = failures - 1
        while doublings > 0, bound < longest {
            bound = bound * 2
            doublings -= 1
        }
        return max(least, min(bound, longest) * jitter)
    }
}
