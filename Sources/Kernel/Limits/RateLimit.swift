/// A limit of `burst` requests at once, and one more in each `period` on average.
///
/// The generic cell rate algorithm (ITU-T I.371). The use of a key is one number, the time up to which its requests are
/// paid. A key without requests costs nothing, and a table of a million keys stays small.
package struct RateLimit: Sendable, Equatable {
    package var burst: Int
    package var period: Duration

    package init(burst: Int, every period: Duration) {
        self.burst = burst
        self.period = period
    }

    /// The part of a limit that one key has used.
    package struct Use: Sendable, Equatable {
        /// A time in the past means that nothing is used.
        var paidUntil = Int64.min

        package init() {}
    }

    /// Takes one request of the limit; returns `nil` if there was one, otherwise how long until there is.
    package func take(_ use: inout Use, at now: Uptime) -> Duration? {
        if let wait = wait(use, at: now) { return wait }
        use.paidUntil = max(use.paidUntil, now.nanoseconds) + period.wholeNanoseconds
        return nil
    }

    /// Gives back one request that was taken.
    package func giveBack(_ use: inout Use) {
        // A time in the past means that nothing is used, however long ago it is.
        use.paidUntil = max(use.paidUntil, Int64.min + period.wholeNanoseconds) - period.wholeNanoseconds
    }

    /// Returns how long until a request is allowed; `nil` if one is allowed now.
    package func wait(_ use: Use, at now: Uptime) -> Duration? {
        let period = self.period.wholeNanoseconds
        let over = max(use.paidUntil, now.nanoseconds) + period - now.nanoseconds - Int64(burst) * period
        return over > 0 ? .nanoseconds(over) : nil
    }
}
