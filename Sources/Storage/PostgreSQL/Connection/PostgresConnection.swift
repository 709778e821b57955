import Audit
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
    /// The last row of the audit's chain of this connection, as committed by it.
    ///
    /// Others append to that chain rarely: a checkpoint, or the deletion of old rows. So it is not read before each row. Where
    /// somebody did, the row's number is taken, and the unit is run again with what is read then.
    private(set) var auditHeads: [String: AuditHead] = [:]
    /// What ``auditHeads`` is after the commit.
    private var nextAuditHeads: [String: AuditHead] = [:]
    private var state = State.none
    /// Statements of the transaction that go with its next one, or with its end.
    private var waiting: [Command] = []
    /// The longest ``waiting``: each holds its values in memory.
    private static let longestWait = 32
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
        waiting = []
        nextAuditHeads = auditHeads
        state = .pending(mode)
        isReading = mode == .readOnly
    }

    /// Runs a statement of the stores, in the transaction if there is one.
    func run(_ sql: String, _ values: [ColumnValue] = []) throws(PostgresError) -> PostgresResult {
        try guarded { () throws(PostgresError) in
            try send(beginning([command(sql, values)]))
        }
    }

    /// Runs a statement whose result nobody needs: in a transaction together with its next statement, or with its end.
    ///
    /// - Throws: An error of the values. One of the server is thrown by what goes with it.
    func write(_ sql: String, _ values: [ColumnValue] = []) throws(PostgresError) {
        // A read has the caller's answer before its end, so that the server has to refuse a write in it at once.
        guard isInTransaction, !isReading, waiting.count < Self.longestWait else {
            _ = try run(sql, values)
            return
        }
        try guarded { () throws(PostgresError) in waiting.append(try command(sql, values)) }
    }

    /// Keeps the last row of this connection's chain if the transaction is committed.
    func keepAuditHeads(_ heads: [String: AuditHead]) { nextAuditHeads = heads }

    private func forgetAuditHeads() { (auditHeads, nextAuditHeads) = ([:], [:]) }

    private var isInTransaction: Bool {
        switch state {
        case .pending, .open, .failed: true
        case .none: false
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

    /// Commits the transaction, unless it ran no statement, with the statements that wait.
    ///
    /// `limit`: the longest wait for the answer; `nil` for the deadline of a statement.
    ///
    /// - Returns: Whether there was anything to commit.
    /// - Throws: ``PostgresError/uncertain(cause:)`` if the connection ended before the answer.
    @discardableResult
    func commit(within limit: Duration? = nil) throws(PostgresError) -> Bool {
        if let failure { throw failure }
        if case .pending = state, waiting.isEmpty { state = .none }
        guard isInTransaction else { return false }
        // The connection may have been lost while nobody used it. Then the unit can be run again, as long as COMMIT was
        // not sent.
        if case .pending = state {
            _ = try guarded { () throws(PostgresError) in try send(beginning([])) }
        }
        do throws(PostgresError) {
            let command = try send(beginning([command("COMMIT")]), within: limit).command
            guard command == "COMMIT" else {
                throw .server(state: "25P02", message: "COMMIT was answered with \(command)")
            }
            state = .none
            auditHeads = nextAuditHeads
        } catch {
            forgetAuditHeads()
            // A statement that went with the commit may have failed: then the transaction is still there.
            state = link.isInTransaction ? .failed(error, isOpen: true) : .none
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
        waiting = []
        forgetAuditHeads()
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

    /// Returns the commands after what waits, and after the `BEGIN` of a transaction that has not sent it.
    private func beginning(_ commands: [Command]) throws(PostgresError) -> [Command] {
        defer { waiting = [] }
        guard case .pending(let mode) = state else { return waiting + commands }
        let begin = try command(mode.begin)
        state = .open
        return [begin] + waiting + commands
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
