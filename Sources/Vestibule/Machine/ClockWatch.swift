import Kernel
import Logging

/// Tells the operator when the wall clock is stepped: tokens, deadlines and cookies go by it.
///
/// Corrections by NTP are slower than that, or smaller.
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

    /// Compares how far both clocks went.
    ///
    /// - Returns: The present readings of both.
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
