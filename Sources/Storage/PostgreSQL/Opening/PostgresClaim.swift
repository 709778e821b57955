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
        /// The connection was lost, so that another process can claim the database.
        case lost
        /// Another session has the lock: another process, or a connection of this one whose end the server has not
        /// noticed yet.
        case taken
    }

    /// The pause between two looks at the connection, in seconds.
    private static let pause: UInt32 = 2

    private let opening: PostgresOpening
    private let queue = DispatchQueue(label: "vestibule.postgresql.claim")
    /// Only waits, so that ``queue`` is free meanwhile.
    private let waiting = DispatchQueue(label: "vestibule.postgresql.claim.waiting")
    private let tell: @Sendable (State) -> Void
    private var connection: PostgresConnection?
    private let state = Mutex(State.held)
    private var isClosed = false

    /// Takes the lock.
    ///
    /// - Parameters:
    ///   - options: The database.
    ///   - clock: Times the waits.
    ///   - tell: Receives each change of the state.
    /// - Throws: ``PostgresOpenError``, with the reason ``PostgresOpenError/Reason/claimed`` while another process has
    ///   it.
    package init(
        _ options: PostgresOptions,
        clock: any MonotonicClock,
        tell: @escaping @Sendable (State) -> Void
    ) throws(PostgresOpenError) {
        opening = PostgresOpening(options: options, clock: clock)
        self.tell = tell
        // A daemon that has just been killed is still known to the server for a moment.
        connection = try opening.claim(within: .seconds(3))
        watch()
    }

    /// Whether another session had the lock when it was last asked for.
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
        waiting.async { [weak self] in
            sleep(Self.pause)
            self?.wake()
        }
    }

    private func wake() { queue.async { [weak self] in self?.look() } }

    private func look() {
        guard !isClosed else { return }
        defer { watch() }
        if let connection, (try? connection.run("SELECT 1")) != nil { return }
        connection?.close()
        connection = nil
        if !isTaken { note(.lost) }
        do throws(PostgresOpenError) {
            connection = try opening.claim(within: .milliseconds(100))
            note(.held)
        } catch {
            note(error.reason == .claimed ? .taken : .lost)
        }
    }

    private func note(_ new: State) {
        let isNew = state.withLock { state in
            defer { state = new }
            return state != new
        }
        if isNew { tell(new) }
    }
}

extension PostgresOpening {
    /// The number of the lock that excludes other daemons: "vestdaem" in ASCII.
    private static let lock: Int64 = 0x7665_7374_6461_656D

    /// Returns a connection that holds the database's lock.
    ///
    /// `patience`: the longest wait for another session that has it.
    fileprivate func claim(within patience: Duration) throws(PostgresOpenError) -> PostgresConnection {
        let (name, connection) = try connect()
        // Shorter than the limit of a statement, so that the server's answer says why.
        let wait = min(patience, options.deadline / 2)
        do throws(PostgresError) {
            // The server notices within half a minute that this machine is gone, instead of two hours.
            for (setting, value) in [
                ("lock_timeout", "\(wait.wholeMilliseconds)ms"), ("tcp_keepalives_idle", "10"),
                ("tcp_keepalives_interval", "5"), ("tcp_keepalives_count", "3"),
                // While an answer is not acknowledged, keepalives are not sent.
                ("tcp_user_timeout", "25000"),
            ] {
                _ = try connection.run("SELECT set_config(?, ?, false)", [.text(setting), .text(value)])
            }
            _ = try connection.run("SELECT pg_advisory_lock(\(Self.lock))")
            return connection
        } catch {
            connection.close()
            guard case .server(state: "55P03", _) = error else {
                throw PostgresOpenError(database: name, reason: Self.reason(error))
            }
            throw PostgresOpenError(database: name, reason: .claimed)
        }
    }
}
