internal import Synchronization

/// The clock of a database server, as a witness of this machine's.
///
/// All daemons on one database compare themselves with it, and so with each other. Both times of a daemon are compared:
/// the wall clock's, which tokens have, and the wall clock's at the start, continued by the monotonic clock, which
/// deadlines have.
package final class DatabaseClock: Sendable {
    /// A difference of this process's time from the server's.
    package struct Skew: Sendable, Equatable {
        package let ahead: Duration
        /// Whether the wall clock is right by now, and only the time since the start is wrong.
        package let needsRestart: Bool

        package init(ahead: Duration, needsRestart: Bool) {
            self.ahead = ahead
            self.needsRestart = needsRestart
        }
    }

    /// The largest difference with which a daemon serves.
    package static let tolerance: Duration = .seconds(1)
    /// A reading counts for so long, if no newer one could be made.
    private static let memory: Duration = .seconds(60)

    private let environment: Environment
    private let start: (wall: Instant, uptime: Uptime)
    private let tell: @Sendable (Skew?) -> Void
    private let state = Mutex(State())

    /// `tell`: Receives the difference when it becomes too large, and `nil` when the clocks agree again.
    package init(_ environment: Environment, tell: @escaping @Sendable (Skew?) -> Void) {
        self.environment = environment
        start = (environment.now(), environment.clock.now)
        self.tell = tell
    }

    /// Takes a reading of the server's clock, which was asked for at `asked` and has just arrived.
    ///
    /// A slow answer tells little, and is left out.
    package func note(_ server: Instant, askedAt asked: Uptime) {
        let half = (environment.clock.now - asked) * 0.5
        guard half <= Self.tolerance * 0.25 else { return }
        state.withLock { $0.reading = (server, asked + half) }
        let skew = skew.flatMap { Self.isTooMuch($0.ahead) ? $0 : nil }
        let isNews = state.withLock { state in
            defer { state.told = skew.map(\.needsRestart) }
            return state.told != skew.map(\.needsRestart)
        }
        if isNews { tell(skew) }
    }

    /// The server's time now; `nil` if it was not read for a minute.
    package var now: Instant? {
        let uptime = environment.clock.now
        guard let (server, at) = state.withLock(\.reading), uptime - at <= Self.memory else { return nil }
        return server + (uptime - at)
    }

    /// The larger difference of this process's times from the server's; `nil` if that is not known.
    package var skew: Skew? {
        guard let now else { return nil }
        let wall = environment.now() - now
        let sinceStart = start.wall + (environment.clock.now - start.uptime) - now
        return Skew(
            ahead: Self.size(sinceStart) > Self.size(wall) ? sinceStart : wall,
            needsRestart: Self.isTooMuch(sinceStart) && !Self.isTooMuch(wall)
        )
    }

    /// Whether this process's times differ too much from the server's.
    package var isSkewed: Bool { skew.map { Self.isTooMuch($0.ahead) } ?? false }

    private static func size(_ duration: Duration) -> Duration { duration < .zero ? .zero - duration : duration }
    private static func isTooMuch(_ ahead: Duration) -> Bool { size(ahead) > tolerance }

    private struct State {
        /// The server's time, and the moment of this machine at which it was that time.
        var reading: (server: Instant, at: Uptime)?
        /// Whether a restart was asked for, if a difference was told.
        var told: Bool?
    }
}
