internal import Synchronization

/// The time of day for code that deletes rows for good: `nil` while the wall clock can't be believed (``SteadyClock``).
///
/// All such code shares one instance, so that it sees the same steps of the clock.
package final class SweepClock: Sendable {
    private let environment: Environment
    private let isSupported: @Sendable (Instant) -> Bool
    private let tell: @Sendable (SteadyClock.Verdict, Instant) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - environment: Both clocks.
    ///   - isSupported: Whether traces of earlier days support a wall clock. May block for a file.
    ///   - tell: Receives each verdict that differs from the previous one, with the wall clock's time.
    package init(
        _ environment: Environment,
        isSupported: @escaping @Sendable (Instant) -> Bool,
        tell: @escaping @Sendable (SteadyClock.Verdict, Instant) -> Void
    ) {
        self.environment = environment
        self.isSupported = isSupported
        self.tell = tell
    }

    /// The time up to which rows may be deleted; `nil` while none may be.
    ///
    /// A sweep keeps the time that it began with: the wall clock may be stepped in the middle of it.
    package var now: Instant? {
        let (reading, verdict, isNews) = state.withLock { state in
            let reading = SteadyClock.Reading(wall: environment.now(), uptime: environment.clock.now)
            let verdict = state.clock.look(reading, isSupported: isSupported)
            let isNews = !verdict.isLike(state.told)
            state.told = verdict
            state.lookedAt = reading.uptime
            return (reading, verdict, isNews)
        }
        if isNews { tell(verdict, reading.wall) }
        return verdict == .steady ? reading.wall : nil
    }

    /// Whether the clock is believed, for readers that only report it.
    ///
    /// It makes the check of ``now``. While the clock was never believed, that check reads a file, and runs once a
    /// minute at most.
    package var isBelieved: Bool {
        let isWaiting = state.withLock { state in
            guard state.told == .unproved, let last = state.lookedAt else { return false }
            return environment.clock.now - last < Self.lookEvery
        }
        return !isWaiting && now != nil
    }

    private static let lookEvery: Duration = .seconds(60)

    /// The unchecked wall clock, for rows that live for minutes, where a wrong time only makes a person start again.
    package var unchecked: Instant { environment.now() }

    private struct State {
        var clock = SteadyClock()
        var told = SteadyClock.Verdict.steady
        var lookedAt: Uptime?
    }
}

extension SteadyClock.Verdict {
    /// Returns whether the verdicts are of the same case, whatever time they expect.
    fileprivate func isLike(_ other: Self) -> Bool {
        switch (self, other) {
        case (.steady, .steady), (.unproved, .unproved), (.stepped, .stepped): true
        case (.steady, _), (.unproved, _), (.stepped, _): false
        }
    }
}
