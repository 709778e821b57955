import Audit
package import Kernel
import Synchronization

/// The log of the audit's checkpoints that all daemons on a PostgreSQL database share: a table of numbered lines.
///
/// It has a connection of its own, since it is used outside of units and blocks.
///
/// Unchecked, because the connection and the remembered lines are used only with ``turn``.
package final class PostgresCheckpointLog: CheckpointLog, @unchecked Sendable {
    private static let page = 10_000
    /// The most lines that are remembered: with about 350 bytes each, they take 35 MB.
    package static let mostRemembered = 100_000

    private let opening: PostgresOpening
    private let turn = Mutex(())
    private var connection: PostgresConnection?
    private var isClosed = false
    private let mostRemembered: Int
    /// The oldest lines that this process has read, each of which is never changed by a daemon.
    private var remembered: [Line] = []

    private struct Line {
        let number: Int64
        let text: String
    }

    /// Connects when it is first used.
    ///
    /// `mostRemembered`: The most lines that are remembered. Those after them are read each time.
    package init(
        _ options: PostgresOptions,
        clock: any MonotonicClock,
        mostRemembered: Int = PostgresCheckpointLog.mostRemembered
    ) {
        self.mostRemembered = mostRemembered
        opening = PostgresOpening(options: options, clock: clock)
    }

    /// Closes the connection, and refuses further calls.
    package func close() {
        turn.withLock { _ in
            isClosed = true
            connection?.close()
            connection = nil
            remembered = []
        }
    }

    package func lines() throws -> [String] {
        try run { reader in try Self.read(reader, after: 0).map(\.text) }
    }

    package func rememberedLines() throws -> [String] {
        try run { [self] reader in
            // A log that became shorter was changed by somebody else.
            if let last = remembered.last, try Self.size(reader) < last.number { remembered = [] }
            let later = try Self.read(reader, after: remembered.last?.number ?? 0)
            let all = remembered + later
            remembered = Array(all.prefix(mostRemembered))
            return all.map(\.text)
        }
    }

    package func size() throws -> Int64 { try run(Self.size) }

    /// All lines are appended or none.
    package func append(_ lines: [String], after size: Int64) throws -> Int64 {
        guard !lines.isEmpty else { return size }
        return try run { reader in try self.append(lines, after: size, reader) }
    }

    private func append(_ lines: [String], after size: Int64, _ reader: SQLConnection) throws -> Int64 {
        guard let connection else { throw StoreError.unavailable(cause: "the log of checkpoints is closed") }
        connection.begin(.migration)
        do {
            guard try Self.size(reader) == size else { throw CheckpointRaceError() }
            // Of two daemons at the same time the second waits here for the first, and then finds the number taken.
            try connection.run(
                "INSERT INTO checkpoints (number, line) VALUES (?, ?)",
                each: lines.enumerated().map { [(size + Int64($0.offset) + 1).column, $0.element.column] }
            )
            try connection.commit()
            return size + Int64(lines.count)
        } catch {
            connection.rollback()
            guard let error = error as? PostgresError, error.isUniqueViolation else { throw error }
            throw CheckpointRaceError()
        }
    }

    private static func size(_ reader: SQLConnection) throws -> Int64 {
        try reader.first("SELECT COALESCE(MAX(number), 0) AS number FROM checkpoints") { try $0.integer("number") } ?? 0
    }

    /// Returns the lines after a number.
    ///
    /// It reads page by page, so that each answer comes within the deadline of a statement.
    private static func read(_ reader: SQLConnection, after number: Int64) throws -> [Line] {
        var lines: [Line] = []
        while true {
            let found = try reader.all(
                "SELECT number, line FROM checkpoints WHERE number > ? ORDER BY number LIMIT ?",
                [(lines.last?.number ?? number).column, page.column]
            ) { Line(number: try $0.integer("number"), text: try $0.text("line")) }
            lines += found
            guard found.count == page else { return lines }
        }
    }

    /// Runs a body with the connection, which is made again if it was lost, and then runs the body once more.
    ///
    /// After a failover the first use finds that the connection was lost. What was not committed is not there.
    private func run<Value: Sendable>(_ body: (SQLConnection) throws -> Value) throws -> Value {
        try turn.withLock { _ in
            guard !isClosed else { throw StoreError.unavailable(cause: "the log of checkpoints is closed") }
            do {
                do { return try body(SQLConnection(try usable())) } catch PostgresError.lost {
                    connection?.close()
                    connection = nil
                    return try body(SQLConnection(try usable()))
                }
            } catch let error as PostgresError {
                throw StoreError(error)
            } catch let error as PostgresOpenError {
                throw StoreError.unavailable(cause: error.message)
            }
        }
    }

    private func usable() throws -> PostgresConnection {
        if let connection, connection.isUsable { return connection }
        let made = try opening.connect().connection
        connection = made
        return made
    }
}
