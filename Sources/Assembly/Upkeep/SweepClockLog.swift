import Kernel
import Logging

/// Tells the operator when old rows stay because of the clock, and when they go again.
struct SweepClockLog: Sendable {
    let logger: Logger

    @Sendable func write(_ verdict: SteadyClock.Verdict, at wall: Instant) {
        let now = wall.internetDate
        switch verdict {
        case .steady:
            logger.notice("the clock can be believed again: old rows are deleted", metadata: ["now": "\(now)"])
        case .unproved:
            logger.notice(
                "nothing shows yet that the clock is right: no old rows are deleted until it was steady for a day",
                metadata: ["now": "\(now)"]
            )
        case .stepped(let expected):
            logger.error(
                "the clock was stepped: no old rows are deleted until it is back, or was steady for a day",
                metadata: ["now": "\(now)", "expected": "\(expected.internetDate)"]
            )
        }
    }
}
