import Kernel
import Logging

/// Tells the operator when old rows stay because of the clock, and when they go again.
struct SweepClockLog: Sendable {
    let logger: Logger

    @Sendable func write(_ verdict: SteadyClock.Verdict, at wall: Instant) {
        let now = wall.internetDate
        switch verdict {
        case .steady:
            logger.notice("the clock is trusted again: old rows are deleted", metadata: ["now": "\(now)"])
        case .unproved:
            logger.notice(
                "the clock is not confirmed yet: no old rows are deleted until it was steady for a day",
                metadata: ["now": "\(now)"]
            )
        case .stepped(let expected):
            logger.error(
                "the clock was stepped: check the time service. No old rows are deleted until it is back, or was steady for a day",
                metadata: ["now": "\(now)", "expected": "\(expected.internetDate)"]
            )
        }
    }
}
