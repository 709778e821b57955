internal import Synchronization

/// The time of day for code that deletes rows for good: `nil` while the wall clock can't be believed (``SteadyClock``).
///
/// All such code shares one instance, so that it sees the same steps of the clock.
package final class SweepClock: Sendable {
    private let environment: Environment
    private let witness: DatabaseClock?
    private let isSupported: @Sendable (Instant) -> Bool
    private let tell: @Sendable (SteadyClock.Verdict, Instant) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - environment: Both clocks.
    ///   - witness: The clock of the database's server, which decides wherever it is known; `nil` for a file.
    ///   - isSupported: Whether traces of earlier days support a wall clock. May block for a file.
    ///   - tell: Receives each verdict that differs from the previous one, with the wall clock's time.
    package init(
        _ environment: Environment,
        witness: DatabaseClock? = nil,
        isSupported: @escaping @Sendable (Instant) -> Bool,
        tell: @escaping @Sendable (SteadyClock.Verdict, Instant) -> Void
    ) {
        self.environment = environment
        self.witness = witness
        self.isSupported = isSupported
        self.tell = tell
    }

    /// The time up to which rows may be deleted; `nil` while none may be.
    ///
    /// A sweep keeps the time that it began with: the wall clock may be stepped in the middle of it.
    package var now: Instant? {
        let (reading, verdict, isNews) = state.withLock { state in
            let reading = SteadyClock.Reading(wall: environment.now(), uptime: environment.clock.now)
            let own = state.clock.look(reading, isSupported: isSupported)
            let verdict = witness?.now.map { SteadyClock.Verdict(of: reading.wall, expecting: $0) } ?? own
            let isNews = !verdict.isLike(state.told)
            state.told = verdict
            state.lookedAt = reading.uptime
            return (reading, verdict, isNews)
        }
        if isNews { tell(verdict, reading.wall) }
        // The database server's time, where it is known: rows of other daemons are not deleted by this one's clock.
        return verdict == .steady ? witness?.now ?? reading.wall : nil
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

    /// The database server's time, or else the unchecked wall clock, for rows that live for minutes, where a wrong time
    /// only makes a person start again.
    package var unchecked: Instant { witness?.now ?? environment.now() }

    private struct State {
        var clock = SteadyClock()
        var told = SteadyClock.Verdict.steady
        var lookedAt: Uptime?
    }
}

extension SteadyClock.Verdict {
    /// The verdict where the right time is known.
    fileprivate init(of wall: Instant, expecting right: Instant) {
        let ahead = wall - right
        let isRight = ahead <= SteadyClock.tolerance && ahead >= .zero - SteadyClock.tolerance
        self = isRight ? .steady : .stepped(expected: right)
    }

    /// Returns whether the verdicts are of the same case, whatever time they expect.
    fileprivate func isLike(_ other: Self) -> Bool {
        switch (self, other) {
        case (.steady, .steady), (.unproved, .unproved), (.stepped, .stepped): true
        case (.steady, _), (.unproved, _), (.stepped, _): false
        }
    }
}
