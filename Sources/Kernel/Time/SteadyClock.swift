/// Decides from readings of the wall clock and the monotonic clock whether deletion can rely on the wall clock.
///
/// A wall clock that is wrong for a minute makes everything look old. The monotonic clock can't be stepped, so that a
/// comparison shows a step of the wall clock. After a start there is no earlier reading: then traces of earlier days
/// support the wall clock.
package struct SteadyClock: Sendable {
    /// The largest accepted difference between the wall clock and the time that the monotonic clock predicts.
    ///
    /// It covers corrections by NTP, and summer time that is set wrong by an hour.
    package static let tolerance: Duration = .seconds(3600)
    /// How long an unbelieved wall clock has to agree with the monotonic clock before it is believed.
    package static let proof: Duration = .seconds(86_400)

    /// The values of both clocks at one moment.
    package struct Reading: Sendable, Equatable {
        package let wall: Instant
        package let uptime: Uptime

        /// Returns the time that the wall clock should show at that reading of the monotonic clock.
        fileprivate func wall(at uptime: Uptime) -> Instant { wall + (uptime - self.uptime) }

        fileprivate func agrees(with later: Reading) -> Bool {
            let drift = later.wall - wall(at: later.uptime)
            return drift <= SteadyClock.tolerance && drift >= .zero - SteadyClock.tolerance
        }
    }

    package enum Verdict: Sendable, Equatable {
        case steady
        /// There is no evidence yet that the clock is right.
        case unproved
        /// The wall clock differs from the time that the monotonic clock predicts.
        case stepped(expected: Instant)
    }

    /// The reading that later readings are compared with; `nil` until a wall clock was believed.
    private var believed: Reading?
    /// The reading since which an unbelieved wall clock has agreed with the monotonic clock.
    private var suspect: Reading?

    /// Judges the wall clock now.
    ///
    /// - Parameters:
    ///   - reading: Both clocks now.
    ///   - isSupported: Whether traces of earlier days support a wall clock. Called only while none was ever believed:
    ///     later the monotonic clock is the better evidence.
    /// - Returns: Whether deletion may rely on the wall clock.
    package mutating func look(_ reading: Reading, isSupported: (Instant) -> Bool) -> Verdict {
        if let believed, believed.agrees(with: reading) {
            // At most once a day: an hour of tolerance at each look would add up to years.
            if reading.uptime - believed.uptime >= Self.proof { believe(reading) }
            suspect = nil
            return .steady
        }
        // At each look: a trace that supports the clock has to be a day old, and may become so while the machine is on.
        if believed == nil, isSupported(reading.wall) { return believe(reading) }
        if let suspect, suspect.agrees(with: reading) {
            guard reading.uptime - suspect.uptime < Self.proof else { return believe(reading) }
        } else {
            suspect = reading
        }
        return believed.map { .stepped(expected: $0.wall(at: reading.uptime)) } ?? .unproved
    }

    @discardableResult
    private mutating func believe(_ reading: Reading) -> Verdict {
        believed = reading
        suspect = nil
        return .steady
    }
}
