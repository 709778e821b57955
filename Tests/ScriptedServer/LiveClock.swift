package import Kernel

/// Real time, for requests over real sockets.
package struct LiveClock: MonotonicClock {
    private let origin = ContinuousClock.now

    package init() {}

    package var now: Uptime { Uptime(nanoseconds: (ContinuousClock.now - origin).wholeNanoseconds) }

    package func sleep(until deadline: Uptime) async throws {
        try await ContinuousClock().sleep(until: origin + .nanoseconds(deadline.nanoseconds))
    }
}
