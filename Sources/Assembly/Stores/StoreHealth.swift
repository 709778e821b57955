import Kernel
import Logging
import Storage
import Synchronization

/// Logs when the database can't be written, and when it can again, and counts the failed commits.
final class StoreHealth: Sendable {
    enum Cause: String, Sendable, CaseIterable {
        case unavailable
        case corrupt
    }

    private struct State {
        var failures: [Cause: Int] = [:]
        var failingSince: Uptime?
        var lastFailure: Uptime?
        var failedSince = 0
        var isDamaged = false
        var isForgetful = false
    }

    /// The time without a failure after which the database counts as writable.
    ///
    /// Without it every change would be logged while only some commits fail.
    static let calm: Duration = .seconds(2)

    private let clock: any MonotonicClock
    private let logger: Logger
    /// The operator's next step while commits fail.
    private let remedy: String
    private let state = Mutex(State())

    init(_ options: StorageOptions, clock: any MonotonicClock, logger: Logger) {
        self.clock = clock
        self.logger = logger
        remedy = options.file == nil ? "check the PostgreSQL server and the network to it" : "check the disk"
    }

    var failures: [Cause: Int] { state.withLock(\.failures) }
    var isDamaged: Bool { state.withLock(\.isDamaged) }
    /// Whether the server had settings at the start with which it can forget commits.
    var isForgetful: Bool { state.withLock(\.isForgetful) }

    /// Notes the outcome of a commit: its error, or `nil` for success.
    @Sendable func note(_ failure: StoreError?) {
        guard let failure else { return noteSuccess() }
        state.withLock { state in
            state.failures[failure.kind, default: 0] += 1
            state.failedSince += 1
            state.lastFailure = clock.now
            state.failingSince = state.failingSince ?? clock.now
        }
        logger.error(
            "the store can't be written: \(remedy). Logins are refused until it can be written",
            metadata: ["cause": "\(failure)"]
        )
    }

    /// Notes the first damaged page that was found.
    @Sendable func noteDamage(_ cause: String) {
        state.withLock { $0.isDamaged = true }
        logger.critical(
            """
            the database is damaged: /readyz says 503 until it is mended. Stop the daemon, restore a backup without the old \
            -wal and -shm, and start again
            """,
            metadata: ["cause": "\(cause)"]
        )
    }

    /// Notes a setting of the server with which it can forget commits.
    @Sendable func noteForgetful(_ warning: PostgresWarning) {
        state.withLock { $0.isForgetful = true }
        logger.warning("the PostgreSQL server can forget logins", metadata: ["cause": "\(warning.message)"])
    }

    /// Notes whether this process may still use the database.
    @Sendable func noteClaim(_ state: PostgresClaim.State) {
        switch state {
        case .held: logger.notice("the database's lock is held again")
        case .lost:
            logger.error(
                "the database's lock was lost with its connection: rows could be moved into it. Taking it again is tried until it succeeds"
            )
        case .taken:
            logger.critical(
                """
                rows are being moved into the database, and /readyz says 503. Stop the move or this daemon. Taking the \
                lock again is tried until it succeeds
                """
            )
        }
    }

    /// Notes a difference from the database server's clock; `nil`: they agree again.
    @Sendable func noteSkew(_ skew: DatabaseClock.Skew?) {
        guard let skew else { return logger.notice("the clock agrees with the database server's again") }
        let remedy =
            skew.needsRestart
            ? "it was wrong when the daemon started, and deadlines go by that: restart the daemon"
            : "check the time service of both machines"
        logger.error(
            "the clock differs from the database server's, and /readyz says 503: \(remedy)",
            metadata: ["millisecondsAhead": "\(skew.ahead.wholeMilliseconds)"]
        )
    }

    private func noteSuccess() {
        let over = state.withLock { state -> (Int, Duration)? in
            guard let since = state.failingSince, let last = state.lastFailure, !state.isDamaged,
                clock.now - last >= Self.calm
            else { return nil }
            defer { (state.failingSince, state.failedSince) = (nil, 0) }
            return (state.failedSince, clock.now - since)
        }
        guard let (count, time) = over else { return }
        logger.notice(
            "the store can be written again",
            metadata: ["failedCommits": "\(count)", "seconds": "\(time.wholeMilliseconds / 1000)"]
        )
    }
}

extension StoreError {
    fileprivate var kind: StoreHealth.Cause {
        switch self {
        case .corrupt: .corrupt
        case .unavailable, .conflict, .foreignTransaction: .unavailable
        }
    }
}
