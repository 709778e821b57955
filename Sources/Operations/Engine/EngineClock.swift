package import Kernel

/// The engine's time: the wall clock's reading at start, continued by the monotonic clock.
///
/// Deadlines are stored as wall time but measured with this clock.
///
/// So a step of the wall clock neither shortens nor prolongs an operation of a running daemon.
package struct EngineClock: Sendable {
    private let anchor: Instant
    private let start: Uptime
    private let clock: any MonotonicClock

    package init(_ environment: Environment) {
        anchor = environment.now()
        start = environment.clock.now
        clock = environment.clock
    }

    package var now: Instant { anchor + (clock.now - start) }

    /// Returns the time of `instant` on the monotonic clock.
    package func uptime(of instant: Instant) -> Uptime { start + (instant - anchor) }
}
