internal import Synchronization

/// The clock of a database server, as a witness of this machine's.
///
/// All daemons on one database compare themselves with it, and so with each other.
package final class DatabaseClock: Sendable {
    /// The largest difference with which a daemon serves.
    package static let tolerance: Duration = .seconds(1)
    /// A reading counts for so long, if no newer one could be made.
    private static let memory: Duration = .seconds(60)

    private let environment: Environment
    private let tell: @Sendable (Duration?) -> Void
    private let state = Mutex(State())

    /// `tell`: Receives by how much this machine's wall clock is ahead when it begins to differ too much, and `nil` when
    /// it agrees again.
    package init(_ environment: Environment, tell: @escaping @Sendable (Duration?) -> Void) {
        self.environment = environment
        self.tell = tell
    }

    /// Takes a reading of the server's clock, which was asked for at `asked` and has just arrived.
    ///
    /// A slow answer tells little, and is left out.
    package func note(_ server: Instant, askedAt asked: Uptime) {
        let half = (environment.clock.now - asked) * 0.5
        guard half <= Self.tolerance * 0.25 else { return }
        let ahead = environment.now() - (server + half)
        let news = state.withLock { state -> Bool in
            state.reading = (server, asked + half)
            defer { state.isSkewed = Self.isTooMuch(ahead) }
            return state.isSkewed != Self.isTooMuch(ahead)
        }
        if news { tell(Self.isTooMuch(ahead) ? ahead : nil) }
    }

    /// The server's time now; `nil` if it was not read for a minute.
    package var now: Instant? {
        let uptime = environment.clock.now
        guard let (server, at) = state.withLock(\.reading), uptime - at <= Self.memory else { return nil }
        return server + (uptime - at)
    }

    /// By how much this machine's wall clock is ahead of the server's; `nil` if that is not known.
    package var skew: Duration? { now.map { environment.now() - $0 } }

    /// Whether the wall clock, or that other time of this process, differs too much from the server's.
    package func contradicts(_ other: Instant) -> Bool {
        guard let now else { return false }
        return Self.isTooMuch(environment.now() - now) || Self.isTooMuch(other - now)
    }

    private static func isTooMuch(_ ahead: Duration) -> Bool { ahead > tolerance || ahead < .zero - tolerance }

    private struct State {
        /// The server's time, and the moment of this machine at which it was that time.
        var reading: (server: Instant, at: Uptime)?
        var isSkewed = false
    }
}
