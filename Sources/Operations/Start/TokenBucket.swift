package import Kernel

/// A budget that refills: `burst` at once, `rate` a second in the long run.
///
/// Pure: time comes in with each call.
package struct TokenBucket: Sendable, Equatable {
    private let rate: Double
    private let burst: Double
    private var tokens: Double
    private var filledAt: Uptime

    package init(perSecond rate: Double, burst: Double, at now: Uptime) {
        self.rate = rate
        self.burst = burst
        tokens = burst
        filledAt = now
    }

    /// Takes one token; `nil` when there was one, else how long until there is.
    package mutating func take(at now: Uptime) -> Duration? {
        let elapsed = Double((now - filledAt).wholeNanoseconds) / 1_000_000_000
        tokens = min(burst, tokens + max(0, elapsed) * rate)
        filledAt = max(filledAt, now)
        guard tokens < 1 else {
            tokens -= 1
            return nil
        }
        return .nanoseconds(Int64(((1 - tokens) / rate * 1_000_000_000).rounded(.up)))
    }
}
