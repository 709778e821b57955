package import Kernel

/// The clocks of a verifier: the time of day for claims, and a monotonic clock for the age of keys.
package struct VerifierTime: Sendable {
    package let now: @Sendable () -> Instant
    package let uptime: @Sendable () -> Uptime

    package init(now: @escaping @Sendable () -> Instant, uptime: @escaping @Sendable () -> Uptime) {
        self.now = now
        self.uptime = uptime
    }
}
