import Kernel
import Logging

/// Logs when the wall clock is stepped, because tokens, deadlines and cookies depend on it.
///
/// Corrections by NTP are slower or smaller than the tolerance.
struct ClockWatch: Sendable {
    static let interval: Duration = .seconds(10)
    static let tolerance: Duration = .seconds(2)

    let environment: Environment
    let logger: Logger

    func run() async {
        var before = reading
        while !Task.isCancelled {
            do { try await environment.clock.sleep(until: environment.clock.now + Self.interval) } catch { return }
            before = look(since: before)
        }
    }

    var reading: (wall: Instant, uptime: Uptime) { (environment.now(), environment.clock.now) }

    /// Compares the progress of the wall clock with that of the monotonic clock.
    ///
    /// - Returns: The current readings of both.
    func look(since before: (wall: Instant, uptime: Uptime)) -> (wall: Instant, uptime: Uptime) {
        let now = reading
        let step = (now.wall - before.wall) - (now.uptime - before.uptime)
        if step > Self.tolerance || step < .zero - Self.tolerance {
            logger.warning(
                "the clock was stepped",
                metadata: ["seconds": "\(step.wholeMilliseconds / 1000)", "now": "\(now.wall.internetDate)"]
            )
        }
        return now
    }
}
