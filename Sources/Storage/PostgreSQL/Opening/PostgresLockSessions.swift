import Kernel

/// The sessions of this process that took a database's lock, or may have taken it.
///
/// After an interruption the server may hold an earlier session of this process for alive, with the lock. Such a session
/// is no other daemon.
struct PostgresLockSessions {
    /// A session, told apart from a later one of the same process number.
    private struct Session: Equatable {
        let process: Int64
        /// When the session began, in microseconds since 1970, by the server's clock.
        let start: Int64

        init(columns: inout ColumnReader) throws {
            process = try columns.integer("process")
            start = try columns.integer("start")
        }
    }

    /// The number of the lock that excludes other daemons: "vestdaem" in ASCII.
    private static let lock: Int64 = 0x7665_7374_6461_656D
    /// The longest list.
    ///
    /// While the lock is not held, only a session whose end was unclear is added to it.
    private static let capacity = 16

    private var own: [Session] = []

    /// Takes the lock, unless an earlier session of this process has it.
    ///
    /// That session is told to end. A server process that is stopped, or waits for its disk, ends later.
    ///
    /// - Parameters:
    ///   - opening: The database.
    ///   - patience: The longest wait for another session that has the lock.
    /// - Returns: A connection that holds the lock; `nil` while the earlier session has it.
    /// - Throws: ``PostgresOpenError``, with the reason ``PostgresOpenError/Reason/claimed`` while another process has
    ///   it.
    mutating func claim(
        _ opening: PostgresOpening,
        within patience: Duration
    ) throws(PostgresOpenError) -> PostgresConnection? {
        let (name, connection) = try opening.connect()
        do {
            // Shorter than the limit of a statement, so that the server's answer says why.
            try Self.set(limit: min(patience, opening.options.deadline / 2), on: connection)
            guard try !take(connection) else { return connection }
            let isOwn = try endHolder(SQLConnection(connection))
            connection.close()
            if isOwn { return nil }
        } catch {
            connection.close()
            throw PostgresOpenError(database: name, reason: PostgresOpening.reason(error))
        }
        throw PostgresOpenError(database: name, reason: .claimed)
    }

    private static func set(limit: Duration, on connection: PostgresConnection) throws(PostgresError) {
        // The server notices within half a minute that this machine is gone, instead of two hours.
        for (setting, value) in [
            ("lock_timeout", "\(limit.wholeMilliseconds)ms"), ("tcp_keepalives_idle", "10"),
            ("tcp_keepalives_interval", "5"), ("tcp_keepalives_count", "3"),
            // While an answer is not acknowledged, keepalives are not sent.
            ("tcp_user_timeout", "25000"),
        ] {
            _ = try connection.run("SELECT set_config(?, ?, false)", [.text(setting), .text(value)])
        }
    }

    /// Returns whether the connection has the lock now.
    private mutating func take(_ connection: PostgresConnection) throws -> Bool {
        let session = try SQLConnection(connection).first(
            """
            SELECT CAST(pid AS BIGINT) AS process, CAST(EXTRACT(EPOCH FROM backend_start) * 1000000 AS BIGINT) AS start
            FROM pg_stat_activity WHERE pid = pg_backend_pid()
            """,
            read: Session.init(columns:)
        )
        guard let session else { throw StoreError.corrupt(cause: "the server does not tell the session") }
        // Before the lock is asked for: the answer may be lost, and the lock be taken.
        own = own.suffix(Self.capacity - 1) + [session]
        do throws(PostgresError) {
            _ = try connection.run("SELECT pg_advisory_lock(\(Self.lock))")
            return true
        } catch {
            guard case .server(state: "55P03", _) = error else { throw error }
            own.removeLast()
            return false
        }
    }

    /// Ends the session that has the lock, if it is one of this process's.
    ///
    /// - Returns: Whether it is. Of a lock that was given back meanwhile: whether this process has had it before. A start
    ///   must not go on without it.
    private func endHolder(_ connection: SQLConnection) throws -> Bool {
        let holder = try connection.first(
            """
            SELECT CAST(pid AS BIGINT) AS process,
                COALESCE(CAST(EXTRACT(EPOCH FROM backend_start) * 1000000 AS BIGINT), 0) AS start
            FROM pg_locks LEFT JOIN pg_stat_activity USING (pid)
            WHERE locktype = 'advisory' AND granted AND objsubid = 1
                AND classid = CAST(? AS BIGINT) AND objid = CAST(? AS BIGINT)
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            """,
            [.integer(Self.lock >> 32), .integer(Self.lock & 0xFFFF_FFFF)],
            read: Session.init(columns:)
        )
        guard let holder else { return !own.isEmpty }
        guard own.contains(holder) else { return false }
        _ = try connection.first(
            "SELECT CASE WHEN pg_terminate_backend(CAST(? AS INTEGER)) THEN 1 ELSE 0 END AS ended",
            [.integer(holder.process)]
        ) { try $0.flag("ended") }
        return true
    }
}
