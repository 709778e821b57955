/// A point in time: whole milliseconds since 1970-01-01 UTC, as the database keeps it.
package struct Instant: Hashable, Sendable, Comparable {
    package let milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }
    package init(seconds: Int64) { milliseconds = seconds * 1000 }

    /// Whole seconds since 1970, rounded down: the NumericDate of RFC 7519 §2.
    package var seconds: Int64 { milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000 }

    package static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

    package static func + (left: Self, right: Duration) -> Self {
        Self(milliseconds: left.milliseconds + right.wholeMilliseconds)
    }

    package static func - (left: Self, right: Duration) -> Self {
        Self(milliseconds: left.milliseconds - right.wholeMilliseconds)
    }

    package static func - (left: Self, right: Self) -> Duration {
        .milliseconds(left.milliseconds - right.milliseconds)
    }
}

/// A reading of the monotonic clock, for waits and intervals, which means nothing outside the process.
package struct Uptime: Hashable, Sendable, Comparable {
    package let nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

    package static func + (left: Self, right: Duration) -> Self {
        Self(nanoseconds: left.nanoseconds + right.wholeNanoseconds)
    }

    package static func - (left: Self, right: Self) -> Duration { .nanoseconds(left.nanoseconds - right.nanoseconds) }
}

extension Duration {
    /// Whole milliseconds, the rest cut off.
    package var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }

    /// Whole nanoseconds, the rest cut off.
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    /// The whole seconds, rounded up: a client that waits for them never asks too early.
    package var secondsRoundedUp: Int64 { (wholeMilliseconds + 999) / 1000 }
}
