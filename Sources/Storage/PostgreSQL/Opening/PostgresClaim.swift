import Dispatch
import Glibc
package import Kernel
import Synchronization

/// The claim of one process to write a PostgreSQL database: a lock on a connection of its own.
///
/// The server gives the lock back when the connection ends, also after a crash. A connection that was lost is made
/// again, with the lock.
///
/// Unchecked, because what changes is used only on ``queue``, which runs one block at a time, or is a ``Mutex``.
package final class PostgresClaim: @unchecked Sendable {
    /// Whether the claim holds.
    package enum State: Sendable, Equatable {
        case held
        /// The connection was lost: another process can claim the database as soon as the server has noticed it.
        case lost
        /// Another process has the lock.
        case taken
    }

    /// The pause between two looks at the connection, in seconds.
    private static let pause: UInt32 = 2

    private let opening: PostgresOpening
    private let queue = DispatchQueue(label: "vestibule.postgresql.claim")
    /// Only waits, so that ``queue`` is free meanwhile.
    private static let waiting = DispatchQueue(label: "vestibule.postgresql.claim.waiting", attributes: .concurrent)
    private let tell: @Sendable (State) -> Void
    /// Reads the server's clock with each look; `nil` reads none.
    private let witness: DatabaseClock?
    private var connection: PostgresConnection?
    private var sessions: PostgresLockSessions
    private let state = Mutex(State.held)
    private var isClosed = false

    /// Takes the lock.
    ///
    /// - Parameters:
    ///   - options: The database.
    ///   - clock: Times the waits.
    ///   - witness: Receives the server's time with each look at the connection.
    ///   - tell: Receives each change of the state.
    /// - Throws: ``PostgresOpenError``, with the reason ``PostgresOpenError/Reason/claimed`` while another process has
    ///   it.
    package init(
        _ options: PostgresOptions,
        clock: any MonotonicClock,
        witness: DatabaseClock? = nil,
        tell: @escaping @Sendable (State) -> Void
    ) throws(PostgresOpenError) {
        opening = PostgresOpening(options: options, clock: clock)
        self.tell = tell
        self.witness = witness
        // A daemon that has just been killed is still known to the server for a moment.
        sessions = PostgresLockSessions()
        connection = try sessions.claim(opening, within: .seconds(3))
        _ = isAlive()
        watch()
    }

    /// Whether another process had the lock when it was last asked for.
    package var isTaken: Bool { state.withLock { $0 == .taken } }

    /// Gives the lock back.
    ///
    /// Further calls do nothing.
    package func close() {
        queue.sync {
            isClosed = true
            connection?.close()
            connection = nil
        }
    }

    private func watch() {
        Self.waiting.async { [weak self] in
            sleep(Self.pause)
            self?.wake()
        }
    }

    private func wake() { queue.async { [weak self] in self?.look() } }

    private func look() {
        guard !isClosed else { return }
        defer { watch() }
        if isAlive() { return }
        connection?.close()
        connection = nil
        if !isTaken { note(.lost) }
        do throws(PostgresOpenError) {
            connection = try sessions.claim(opening, within: .milliseconds(100))
            note(connection == nil ? .lost : .held)
        } catch {
            note(error.reason == .claimed ? .taken : .lost)
        }
    }

    /// Whether the connection that has the lock answers.
    private func isAlive() -> Bool {
        guard let connection else { return false }
        let asked = opening.clock.now
        let time = try? SQLConnection(connection).first(
            "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) AS time"
        ) { try $0.instant("time") }
        guard let time else { return false }
        witness?.note(time, askedAt: asked)
        return true
    }

    private func note(_ new: State) {
        let isNew = state.withLock { state in
            defer { state = new }
            return state != new
        }
        if isNew { tell(new) }
    }
}
