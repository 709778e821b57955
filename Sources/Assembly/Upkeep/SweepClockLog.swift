import Kernel
import Logging

/// Logs when old rows are kept because of an untrusted clock, and when they are deleted again.
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
