import Glibc
package import Kernel
import Synchronization

/// The claim of a process to use a PostgreSQL database: a lock on a connection of its own.
///
/// Daemons and commands share the database. Only a move of rows into it needs it alone. The server gives the lock back
/// when the connection ends, also after a crash. A connection that was lost is made again, with the lock.
///
/// Unchecked, because what changes is used only on ``queue``, which runs one block at a time, or is a ``Mutex``.
package final class PostgresClaim: @unchecked Sendable {
    /// Who else may use the database meanwhile.
    package enum Kind: Sendable {
        /// Other daemons and commands.
        case shared
        /// Nobody.
        case alone
    }

    /// Whether the claim holds.
    package enum State: Sendable, Equatable {
        case held
        /// The connection was lost: a move of rows could begin as soon as the server has noticed it.
        case lost
        /// Rows are being moved into the database, or, for a claim alone, others use it.
        case taken
    }

    /// The number of the lock: "vestdaem" in ASCII.
    private static let lock: Int64 = 0x7665_7374_6461_656D
    /// The pause between two looks at the connection, in seconds.
    private static let pause: UInt32 = 2

    private let kind: Kind
    private let opening: PostgresOpening
    private let queue = PausingQueue(label: "vestibule.postgresql.claim")
    private let tell: @Sendable (State) -> Void
    /// Reads the server's clock with each look; `nil` reads none.
    private let witness: DatabaseClock?
    private let state = Mutex(State.held)
    private var connection: PostgresConnection?
    private var isClosed = false

    /// Takes the lock.
    ///
    /// - Parameters:
    ///   - kind: Who else may use the database meanwhile.
    ///   - options: The database.
    ///   - clock: Times the waits.
    ///   - witness: Receives the server's time with each look at the connection.
    ///   - tell: Receives each change of the state.
    /// - Throws: ``PostgresOpenError``, with the reason ``PostgresOpenError/Reason/claimed`` while another process has
    ///   a lock that excludes this one.
    package init(
        _ kind: Kind,
        _ options: PostgresOptions,
        clock: any MonotonicClock,
        witness: DatabaseClock? = nil,
        tell: @escaping @Sendable (State) -> Void
    ) throws(PostgresOpenError) {
        self.kind = kind
        opening = PostgresOpening(options: options, clock: clock)
        self.tell = tell
        self.witness = witness
        // A process that has just been killed is still known to the server for a moment.
        connection = try Self.take(kind, opening, within: .seconds(3))
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

    /// Returns a connection that has the lock.
    private static func take(
        _ kind: Kind,
        _ opening: PostgresOpening,
        within patience: Duration
    ) throws(PostgresOpenError) -> PostgresConnection {
        let (name, connection) = try opening.connect()
        do throws(PostgresError) {
            // Shorter than the limit of a statement, so that the server's answer says why.
            try set(limit: min(patience, opening.options.deadline / 2), on: connection)
            switch kind {
            case .shared: _ = try connection.run("SELECT pg_advisory_lock_shared(\(lock))")
            case .alone: try takeAlone(connection, within: patience)
            }
            return connection
        } catch {
            connection.close()
            // lock_not_available
            if case .server(state: "55P03", _) = error { throw PostgresOpenError(database: name, reason: .claimed) }
            throw PostgresOpenError(database: name, reason: PostgresOpening.reason(error))
        }
    }

    /// Asks again and again instead of waiting: daemons that ask for a share would wait behind it.
    ///
    /// The pauses are real, whatever the clock says, so that it is their number that is bounded.
    private static func takeAlone(_ connection: PostgresConnection, within patience: Duration) throws(PostgresError) {
        let pause = Duration.milliseconds(50)
        for number in 0...Int(patience / pause) {
            if number > 0 { usleep(UInt32(pause.wholeMilliseconds * 1000)) }
            if try connection.run("SELECT 1 WHERE pg_try_advisory_lock(\(lock))").rowCount == 1 { return }
        }
        throw .server(state: "55P03", message: "the lock is shared by others")
    }

    private static func set(limit: Duration, on connection: PostgresConnection) throws(PostgresError) {
        _ = try connection.run("SELECT set_config('lock_timeout', ?, false)", [.text("\(limit.wholeMilliseconds)ms")])
    }

    private func watch() { queue.run(afterSeconds: Self.pause) { [weak self] in self?.look() } }

    private func look() {
        guard !isClosed else { return }
        defer { watch() }
        if isAlive() { return }
        connection?.close()
        connection = nil
        if !isTaken { note(.lost) }
        do throws(PostgresOpenError) {
            connection = try Self.take(kind, opening, within: .milliseconds(100))
            note(.held)
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
