package import Kernel
package import Operations

/// The bounds of a provider's calls.
package struct GuardPolicy: Sendable, Equatable {
    /// The timeout of one call as a whole: its wait for a slot, its token and its retries.
    package var callTimeout: Duration
    /// The number of immediate retries of a failed status check.
    ///
    /// A start is never retried: it may have succeeded without an answer.
    package var retries: Int
    /// The number of scans being started at one time.
    ///
    /// Checks have a limit of their own, and neither waits for the other.
    package var concurrentStarts: Int
    /// The number of calls of a kind that may wait for a slot: further ones fail at once.
    package var queued: Int
    /// The shortest timeout of a probe, of a quick check, and of a final check before a deadline.
    ///
    /// The timeout grows with the time that answers take.
    package var probeTimeout: Duration
    package var circuit: CircuitBreaker.Policy

    package init(
        callTimeout: Duration = .seconds(20),
        retries: Int = 1,
        concurrentStarts: Int = 32,
        queued: Int = 512,
        probeTimeout: Duration = .seconds(2),
        circuit: CircuitBreaker.Policy = .init()
    ) {
        self.callTimeout = callTimeout
        self.retries = retries
        self.concurrentStarts = concurrentStarts
        self.queued = queued
        self.probeTimeout = probeTimeout
        self.circuit = circuit
    }
}

/// The time that answers take, so that a short timeout is still long enough for an honest answer.
package struct AnswerPace: Sendable, Equatable {
    /// The base of short timeouts, which rises at once with a slow answer, and falls slowly.
    package private(set) var typical: Duration?
    /// The base of a probe's timeout: a single slow answer moves it by an eighth.
    private var average: Duration?

    package mutating func note(_ took: Duration) {
        typical = max(took, typical.map { ($0 * 7 + took) / 8 } ?? took)
        average = average.map { ($0 * 7 + took) / 8 } ?? took
    }

    /// Returns three times the typical time, and at least `least`; `nil` before the first answer.
    package func shortTime(atLeast least: Duration) -> Duration? { typical.map { max($0 * 3, least) } }

    /// Returns twice the average time, and at least `least`: one slow answer hardly changes it.
    package func probeTime(atLeast least: Duration) -> Duration { average.map { max($0 * 2, least) } ?? least }
}

extension GuardPolicy {
    /// Returns the timeout of a status check, its wait for a slot included.
    ///
    /// - Parameters:
    ///   - turn: The position of the check in its scan. Two final checks fit before the deadline. The last one may run
    ///     past it, since its result is recorded.
    ///   - pace: The time that answers take.
    ///   - isProbe: Whether the check probes if a stopped provider is back.
    ///   - now: The time at which the check begins.
    /// - Returns: At most ``callTimeout``.
    package func time(for turn: CheckTurn, pace: AnswerPace, isProbe: Bool, at now: Uptime) -> Duration {
        let left = turn.end.map { max(.zero, $0 - now) }
        let short = pace.shortTime(atLeast: probeTimeout)
        let probe = min(callTimeout, short ?? probeTimeout, pace.probeTime(atLeast: probeTimeout))
        switch turn.slot {
        case .final: return min(callTimeout, short ?? probeTimeout, left.map { max(probe, $0 / 2) } ?? probe)
        // Before the first answer the time that honest answers take is unknown.
        case .quick: return min(isProbe ? probe : short ?? callTimeout, callTimeout, left ?? callTimeout)
        case .long: return min(isProbe ? probe : callTimeout, left ?? callTimeout)
        }
    }

    /// Whether a timeout was so short that a missing answer says nothing about the provider.
    ///
    /// Nine tenths of a probe's timeout are long enough, because tasks begin late.
    package func isTooShort(_ time: Duration) -> Bool { time * 10 < min(probeTimeout, callTimeout) * 9 }
}

/// The wait before a retry: a random time up to a bound that doubles.
///
/// So calls that failed together are not repeated together.
package enum RetryDelay {
    package static let first: Duration = .milliseconds(200)
    package static let longest: Duration = .seconds(2)

    /// Returns the wait.
    ///
    /// `retry`: the number of the retry, counted from 0.
    ///
    /// `jitter`: a number in `0 ..< 1`.
    package static func before(_ retry: Int, jitter: Double) -> Duration {
        let bound = min(longest, first * (1 << min(max(retry, 0), 16)))
        return bound * jitter
    }
}
