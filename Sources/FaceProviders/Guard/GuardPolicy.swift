package import Kernel
package import Operations

/// How a provider's calls are bounded.
package struct GuardPolicy: Sendable, Equatable {
    /// The timeout of one call as a whole: its wait for a place, its token, its retries.
    package var callTimeout: Duration
    /// How often a failed status check is tried again at once.
    ///
    /// A start never is: nobody knows whether it was one.
    package var retries: Int
    /// Scans being started at one time; checks have a figure of their own, and neither waits for the other.
    package var concurrentStarts: Int
    /// Calls of a kind that may wait for a place; one more is held back at once.
    package var queued: Int
    /// The shortest time of a check that finds out whether the provider is back.
    ///
    /// The same holds for one in a crowd, or one of the last before a deadline.
    ///
    /// It grows with the time that answers take.
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

/// How long answers take, so that a short time is never shorter than what an honest answer needs.
package struct AnswerPace: Sendable, Equatable {
    /// The base of a short time: rises at once with a slow answer, and falls little by little.
    package private(set) var typical: Duration?
    /// The base of a probe's time: a single slow answer moves it by an eighth.
    private var average: Duration?

    package mutating func note(_ took: Duration) {
        typical = max(took, typical.map { ($0 * 7 + took) / 8 } ?? took)
        average = average.map { ($0 * 7 + took) / 8 } ?? took
    }

    /// Three times what is typical, and `least` at the least; `nil` while nothing was answered yet.
    package func shortTime(atLeast least: Duration) -> Duration? { typical.map { max($0 * 3, least) } }

    /// Twice the average, and `least` at the least: what one slow answer does not stretch.
    package func probeTime(atLeast least: Duration) -> Duration { average.map { max($0 * 2, least) } ?? least }
}

extension GuardPolicy {
    /// Returns how long a status check may take, its wait for a place included.
    ///
    /// - Parameters:
    ///   - turn: The position of the check in its scan. Two final checks fit before the deadline; the last one may run
    ///     past it, since its result is recorded.
    ///   - pace: How long answers take.
    ///   - isProbe: Whether the check finds out if a stopped provider is back.
    ///   - now: When the check begins.
    /// - Returns: At most ``callTimeout``.
    package func time(for turn: CheckTurn, pace: AnswerPace, isProbe: Bool, at now: Uptime) -> Duration {
        let left = turn.end.map { max(.zero, $0 - now) }
        let short = pace.shortTime(atLeast: probeTimeout)
        let probe = min(callTimeout, short ?? probeTimeout, pace.probeTime(atLeast: probeTimeout))
        switch turn.slot {
        case .final: return min(callTimeout, short ?? probeTimeout, left.map { max(probe, $0 / 2) } ?? probe)
        // How long honest answers take is not known before the first.
        case .quick: return min(isProbe ? probe : short ?? callTimeout, callTimeout, left ?? callTimeout)
        case .long: return min(isProbe ? probe : callTimeout, left ?? callTimeout)
        }
    }

    /// Whether a call had so little time that its silence says nothing about the provider.
    ///
    /// A tenth less than the time of a probe is not little: tasks begin late.
    package func isTooShort(_ time: Duration) -> Bool { time * 10 < min(probeTimeout, callTimeout) * 9 }
}

/// The wait before a call is tried again: a random time up to a bound that doubles.
///
/// So calls that failed together are retried apart.
package enum RetryDelay {
    package static let first: Duration = .milliseconds(200)
    package static let longest: Duration = .seconds(2)

    /// Before the retry of that number, counted from 0; `jitter` is in `0 ..< 1`.
    package static func before(_ retry: Int, jitter: Double) -> Duration {
        let bound = min(longest, first * (1 << min(max(retry, 0), 16)))
        return bound * jitter
    }
}
