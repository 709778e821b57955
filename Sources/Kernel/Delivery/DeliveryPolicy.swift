/// How a queue is delivered: how many payloads at one time, how long a lease lasts, and when a failed one is tried
/// again.
package struct DeliveryPolicy: Sendable, Equatable {
    /// The number of deliveries in progress at one time.
    package let concurrency: Int
    /// The same number for one group (``QueuedDelivery/concurrencyGroup``), so that a recipient that hangs holds up
    /// only its own deliveries.
    package let concurrencyPerGroup: Int
    /// The same number for all groups together whose last delivery failed, which get one each.
    ///
    /// Many dead recipients leave half of the deliveries to the others.
    var concurrencyOfFailing: Int { max(1, concurrency / 2) }
    /// How long a claimed payload is reserved.
    ///
    /// This is longer than the transport ever takes, because otherwise a slow recipient would get a payload twice.
    package let leaseTime: Duration
    package let retries: RetrySchedule

    /// The time between two checks of the queue's signal.
    static let signalCheck: Duration = .milliseconds(100)
    /// How long a worker waits after a database error, and before it claims again when due payloads found no capacity.
    static let pauseAfterFault: Duration = .seconds(1)
    /// The longest time between two claims, whether the signal is raised or not.
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

/// The delays before a failed delivery is tried again: exponential backoff with full jitter, which spreads the retries
/// of deliveries that failed together.
package struct RetrySchedule: Sendable, Equatable {
    /// The upper bound of the first delay, which each failure doubles.
    package let base: Duration
    /// The longest delay.
    package let cap: Duration
    /// The shortest time between two tries.
    package let least: Duration
    /// The number of failures after which a payload is given up.
    package let maxAttempts: Int

    package init(base: Duration, cap: Duration, least: Duration = .milliseconds(500), maxAttempts: Int = 1000) {
        self.base = base
        self.cap = cap
        self.least = least
        self.maxAttempts = maxAttempts
    }

    /// Returns the delay after that many failures, for a `jitter` in `0 ..< 1`.
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
