import CPq
import Kernel

/// A connection with its transaction and its prepared statements.
///
/// It is used by one thread at a time.
///
/// A statement that fails ends the transaction for the server. Further statements are refused with the first error, and
/// ``commit(within:)`` throws it, so that a body that ignores an error stores nothing.
final class PostgresConnection {
    /// What a transaction may do.
    enum Mode {
        /// A unit of work: as if no other unit ran at the same time, or it fails with a serialization failure.
        case serializable
        /// A read of the state at one moment.
        case readOnly
        /// A change of the schema, of the list of daemons or of the signing keys, or a move of all rows, whose statements
        /// see what other transactions committed before each of them.
        case migration

        fileprivate var begin: String {
            switch self {
            case .serializable: "BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE"
            case .readOnly: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
            case .migration: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
            }
        }
    }

    private enum State {
        case none
        /// `BEGIN` is sent together with the first statement.
        case pending(Mode)
        case open
        /// `isOpen`: whether the server has the transaction, too.
        case failed(PostgresError, isOpen: Bool)
    }

    /// The form of the ids of the database.
    let ids: IDForm
    private let link: PostgresLink
    private var statements = PostgresStatementCache()
    private var state = State.none
    private var isReading = false

    /// Connects, and sets what the sessions of this program need.
    init(_ options: PostgresOptions, clock: any MonotonicClock, ids: IDForm = .ordered) throws(PostgresError) {
        self.ids = ids
        link = try PostgresLink(options, clock: clock)
        let settings = PostgresSessionSetting.all(options, serverVersion: link.serverVersion)
        var commands: [Command] = []
        for setting in settings {
            let values = [ColumnValue.text(setting.name), .text(setting.value)]
            commands.append(try command("SELECT set_config(?, ?, false)", values))
        }
        _ = try send(commands)
    }

    /// Whether the connection can run statements.
    var isUsable: Bool { link.isOpen }

    /// The version of the server: 150018 for 15.18.
    var serverVersion: Int32 { link.serverVersion }

    /// The first error of the transaction.
    var failure: PostgresError? {
        if case .failed(let error, _) = state { error } else { nil }
    }

    func close() { link.close() }

    /// Begins a transaction, for which nothing is sent before its first statement.
    func begin(_ mode: Mode) {
        state = .pending(mode)
        isReading = mode == .readOnly
    }

    /// Runs a statement of the stores, in the transaction if there is one.
    func run(_ sql: String, _ values: [ColumnValue] = []) throws(PostgresError) -> PostgresResult {
        try guarded { () throws(PostgresError) in
            try send(beginning([command(sql, values)]))
        }
    }

    /// Runs a statement once for each list of values, in one flush, in the transaction if there is one.
    func run(_ sql: String, each lists: [[ColumnValue]]) throws(PostgresError) {
        guard !lists.isEmpty else { return }
        _ = try guarded { () throws(PostgresError) in
            var commands: [Command] = []
            commands.reserveCapacity(lists.count)
            for values in lists { commands.append(try command(sql, values)) }
            return try send(beginning(commands))
        }
    }

    /// Returns the payloads of the notifications that have arrived, after waiting for the first.
    ///
    /// `wake`: Ends the wait early.
    ///
    /// `limit`: The longest wait.
    func notifications(until wake: WakeUp, within limit: Duration) throws(PostgresError) -> [String] {
        try link.notifications(until: wake, within: limit)
    }

    /// Runs a text of several statements without values, in the transaction if there is one.
    ///
    /// `limit`: the longest wait for all of them.
    func script(_ sql: String, within limit: Duration) throws(PostgresError) {
        try guarded { () throws(PostgresError) in
            let begin = try beginning([])
            if !begin.isEmpty { _ = try send(begin) }
            if let error = try link.script(sql, within: limit) { throw error }
        }
    }

    /// Commits the transaction, unless it ran no statement.
    ///
    /// `limit`: the longest wait for the answer; `nil` for the deadline of a statement.
    ///
    /// - Returns: Whether there was anything to commit.
    /// - Throws: ``PostgresError/uncertain(cause:)`` if the connection ended before the answer.
    @discardableResult
    func commit(within limit: Duration? = nil) throws(PostgresError) -> Bool {
        if let failure { throw failure }
        guard case .open = state else {
            state = .none
            return false
        }
        state = .none
        do throws(PostgresError) {
            let command = try send([command("COMMIT")], within: limit).command
            guard command == "COMMIT" else {
                throw .server(state: "25P02", message: "COMMIT was answered with \(command)")
            }
        } catch {
            switch error {
            case .lost, .silent: throw .uncertain(cause: StoreError(error).cause)
            case .server, .uncertain, .refused: throw error
            }
        }
        return true
    }

    /// Undoes the transaction.
    ///
    /// A connection on which that is not possible is closed.
    func rollback() {
        let isOpen =
            switch state {
            case .open, .failed(_, isOpen: true): true
            case .none, .pending, .failed: false
            }
        state = .none
        guard isOpen, isUsable else { return }
        do { _ = try send([command("ROLLBACK")]) } catch { close() }
    }

    /// Runs `body`, unless the transaction has failed, and keeps its error for the rest of the transaction.
    private func guarded<T>(_ body: () throws(PostgresError) -> T) throws(PostgresError) -> T {
        if let failure { throw failure }
        do throws(PostgresError) { return try body() } catch {
            switch state {
            case .none, .failed: break
            case .pending: state = .failed(error, isOpen: false)
            case .open: state = .failed(error, isOpen: true)
            }
            throw error
        }
    }

    /// Returns the commands after the `BEGIN` of a transaction that has not sent it.
    private func beginning(_ commands: [Command]) throws(PostgresError) -> [Command] {
        guard case .pending(let mode) = state else { return commands }
        let begin = try command(mode.begin)
        state = .open
        return [begin] + commands
    }

    /// Returns a statement with its values, which are checked before anything is queued.
    private func command(_ sql: String, _ values: [ColumnValue] = []) throws(PostgresError) -> Command {
        let statement = statements.statement(for: sql)
        guard statement.text.parameterCount == values.count else {
            throw .refused(cause: "values and parameters differ in number")
        }
        return Command(statement: statement, parameters: try PostgresParameters(values, ids))
    }

    /// Sends commands in one flush, each with its preparation if the server does not know it.
    ///
    /// - Returns: The result of the last one.
    /// - Throws: The first error.
    private func send(_ commands: [Command], within limit: Duration? = nil) throws(PostgresError) -> PostgresResult {
        do throws(PostgresError) {
            let preparing = try queue(commands)
            let results = try link.exchange(within: limit)
            for (statement, index) in preparing {
                let isDone = results.indices.contains(index) && results[index].status == PGRES_COMMAND_OK
                statement.notePreparation(succeeded: isDone)
            }
            if let error = results.lazy.compactMap(\.error).first { throw own(error) }
            guard results.count == commands.count + preparing.count, let last = results.last else {
                throw .lost(cause: "an answer is missing")
            }
            return last
        } catch {
            if error.endsConnection { close() }
            throw error
        }
    }

    /// Returns the error of a statement, which for a write in a read is the program's own and not the connection's.
    private func own(_ error: PostgresError) -> PostgresError {
        guard isReading, case .server("25006", let message) = error else { return error }
        return .refused(cause: "PostgreSQL 25006 (\(message))")
    }

    /// Queues commands.
    ///
    /// - Returns: The statements that are prepared by it, with the position of the preparation's result.
    private func queue(_ commands: [Command]) throws(PostgresError) -> [(PostgresStatement, Int)] {
        var preparing: [(PostgresStatement, Int)] = []
        for (index, command) in commands.enumerated() {
            let statement = command.statement
            if !statement.isPrepared {
                try link.prepare(statement.text.text, as: statement.name)
                statement.notePreparation(succeeded: true)
                preparing.append((statement, index + preparing.count))
            }
            try link.execute(statement.name, command.parameters)
        }
        return preparing
    }
}

/// A statement with its values.
private struct Command {
    let statement: PostgresStatement
    let parameters: PostgresParameters
}
