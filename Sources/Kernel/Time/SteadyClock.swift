/// Decides whether deletion can rely on the wall clock: pure, fed with readings of both clocks.
///
/// A wall clock that is wrong for a minute makes everything look old. The monotonic clock can't be stepped, so that a
/// comparison shows a step of the wall clock. After a start there is nothing to compare with; then traces of earlier
/// days support the clock.
package struct SteadyClock: Sendable {
    /// The largest difference of the wall clock from the time that the monotonic one lets expect.
    ///
    /// It covers corrections by NTP, and a wrong hour of summer time.
    package static let tolerance: Duration = .seconds(3600)
    /// How long a wall clock that is not believed has to agree with the monotonic one until it is.
    package static let proof: Duration = .seconds(86_400)

    /// The values of both clocks at one moment.
    package struct Reading: Sendable, Equatable {
        package let wall: Instant
        package let uptime: Uptime

        /// Returns where the wall clock should be when the monotonic one is there.
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
        /// The clock differs from the time that the monotonic clock lets expect.
        case stepped(expected: Instant)
    }

    /// The reading that later ones are compared with; `nil` until a wall clock was believed.
    private var believed: Reading?
    /// The start of the agreement of an unbelieved wall clock with the monotonic one.
    private var suspect: Reading?

    /// Judges the wall clock now.
    ///
    /// - Parameters:
    ///   - reading: Both clocks now.
    ///   - isSupported: Whether traces of earlier days support a wall clock. Called only while none was ever believed:
    ///     later the monotonic clock is the better evidence.
    /// - Returns: Whether deletion may rely on it.
    package mutating func look(_ reading: Reading, isSupported: (Instant) -> Bool) -> Verdict {
        if let believed, believed.agrees(with: reading) {
            // Not at every look: an hour each time would add up to years.
            if reading.uptime - believed.uptime >= Self.proof { believe(reading) }
            suspect = nil
            return .steady
        }
        // Each time: a trace that supports the clock has to be a day old, and may become so while the machine is on.
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
