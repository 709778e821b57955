import GRDB
package import Kernel
import Synchronization

/// Group commit: units that wait at the same time share one SQLite transaction and one sync of the disk.
///
/// A failing unit undoes only its own writes. Each caller resumes when the shared commit is durable. An error of the
/// commit fails the whole group. Usually none of its writes is stored then, but that is not certain.
///
/// Units fail rarely, and a savepoint costs a copy of each page that its unit changes. So a group is first run without
/// savepoints. When a unit fails, all is rolled back and the group is run again, each unit in a savepoint of its own.
package final class SQLiteUnitOfWork: UnitOfWork {
    /// The greatest number of units in one transaction, which bounds how long the first of them waits for the last.
    private static let maximumGroup = 512
    /// The begin and the end of a group, which are prepared once: GRDB's own methods prepare them each time.
    private static let begin = "BEGIN IMMEDIATE TRANSACTION"
    private static let end = "COMMIT TRANSACTION"

    private let database: SQLiteDatabase
    private let pool: DatabasePool
    private let queue = Mutex(Queue())
    private let metrics: StoreMetrics?
    private let onGroup: @Sendable (Int) -> Void
    private let onCommit: @Sendable (StoreError?) -> Void

    /// `onGroup`: receives the size of each group that was tried.
    ///
    /// `onCommit`: receives the error of each commit, or `nil` for one that succeeded.
    package init(
        _ database: SQLiteDatabase,
        onGroup: @escaping @Sendable (Int) -> Void = { _ in },
        onCommit: @escaping @Sendable (StoreError?) -> Void = { _ in }
    ) {
        self.database = database
        pool = database.pool
        metrics = database.metrics
        self.onGroup = onGroup
        self.onCommit = onCommit
    }

    package func run<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            let unit = PendingUnit(files: database.files, refuse: { continuation.resume(throwing: $0) }) {
                let value = try body(Transaction(context: $0, effects: $1))
                return { continuation.resume(returning: value) }
            }
            enqueue(unit)
        }
    }

    /// Runs the body on one of the read-only connections.
    package func read<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T {
        try await database.reading(body)
    }

    /// Throws unless a unit would become durable, by committing a unit that changes only the file's header.
    package func checkDurable() async throws {
        try await run { transaction in
            let connection = try transaction.connection()
            // The number has no meaning. Writing it forces a real commit.
            try connection.change("PRAGMA user_version = 0")
            guard try connection.exists("SELECT 1 FROM schema_migrations LIMIT 1") else {
                throw StoreError.corrupt(cause: "the schema is missing")
            }
        }
        // The two pages that this uses may be intact while others are damaged.
        if let damage = database.files.damage { throw damage }
    }

    /// The number of units in the queue.
    var queueLength: Int { queue.withLock(\.waiting.count) }

    private func enqueue(_ unit: PendingUnit) {
        let mustDrain = queue.withLock { queue in
            queue.waiting.append(unit)
            defer { queue.isDraining = true }
            return !queue.isDraining
        }
        if mustDrain { scheduleGroup() }
    }

    /// Runs one group at a time, so that other users of the writing connection get their turn between two groups.
    private func scheduleGroup() {
        pool.asyncWriteWithoutTransaction { [self] database in
            let group = queue.withLock { queue in
                let group = Array(queue.waiting.prefix(Self.maximumGroup))
                queue.waiting.removeFirst(group.count)
                return group
            }
            if let metrics {
                metrics.committing(group.count) { commit(group, database) }
            } else {
                commit(group, database)
            }
            let isMore = queue.withLock { queue in
                queue.isDraining = !queue.waiting.isEmpty
                return queue.isDraining
            }
            if isMore { scheduleGroup() }
        }
    }

    private func commit(_ group: [PendingUnit], _ database: Database) {
        do {
            // Every further commit would be lost at the next start.
            if let moved = self.database.files.moved { throw moved }
            if try !commitAtOnce(group, database) { try commitOneByOne(group, database) }
        } catch {
            if database.isInsideTransaction { try? database.rollback() }
            self.database.files.note(error)
            let failure = StoreError(ofGroup: error)
            onCommit(failure)
            onGroup(group.count)
            for unit in group { unit.fail(failure) }
            return
        }
        // Called before the callers resume, so that a caller with its answer finds the group counted.
        onCommit(group.lazy.compactMap(\.fault).first)
        onGroup(group.count)
        for unit in group { unit.succeed() }
    }

    /// Commits the group if none of its units fails; otherwise undoes all of it and returns `false`.
    private func commitAtOnce(_ group: [PendingUnit], _ database: Database) throws -> Bool {
        let connection = SQLConnection(database, statements: self.database.statements)
        try connection.change(Self.begin)
        for unit in group {
            guard unit.perform(connection) else {
                if database.isInsideTransaction { try database.rollback() }
                // A single unit affects no other, so its result is final.
                return group.count == 1
            }
        }
        try connection.change(Self.end)
        return true
    }

    /// Commits the group with each unit in a savepoint, to which a failing unit is rolled back.
    private func commitOneByOne(_ group: [PendingUnit], _ database: Database) throws {
        let connection = SQLConnection(database, statements: self.database.statements)
        try connection.change(Self.begin)
        for unit in group {
            try connection.change("SAVEPOINT unit")
            let isDone = unit.perform(connection)
            // A full disk or an I/O error may have ended the transaction during the group.
            guard database.isInsideTransaction else {
                throw StoreError.unavailable(cause: "the transaction was ended")
            }
            if !isDone {
                try connection.change("ROLLBACK TO unit")
                // The unit may have appended to a chain.
                connection.auditHeads = [:]
            }
            try connection.change("RELEASE unit")
        }
        try connection.change(Self.end)
    }

    private struct Queue {
        var waiting: [PendingUnit] = []
        var isDraining = false
    }
}

/// A unit that waits for its group.
///
/// Its result's type is hidden in closures: a generic class would look its metadata up a dozen times for each unit.
private final class PendingUnit: Sendable {
    typealias Resume = @Sendable () -> Void

    private enum Outcome: Sendable {
        case success(Resume, DurableEffects)
        case failure(any Error)
    }

    /// What the last run gave.
    private struct State {
        var outcome: Outcome?
        var fault: StoreError?
    }

    private let files: DatabaseFiles
    private let refuse: @Sendable (any Error) -> Void
    private let body: @Sendable (SQLConnection, DurableEffects) throws -> Resume
    private let state = Mutex(State())

    /// - Parameters:
    ///   - files: The files of the database, which note its errors.
    ///   - refuse: Resumes the caller with an error.
    ///   - body: Returns what resumes the caller with the result.
    init(
        files: DatabaseFiles,
        refuse: @escaping @Sendable (any Error) -> Void,
        body: @escaping @Sendable (SQLConnection, DurableEffects) throws -> Resume
    ) {
        self.files = files
        self.refuse = refuse
        self.body = body
    }

    /// The reason why the database could not do what the body asked.
    ///
    /// `nil` if it could, or if the body itself threw.
    var fault: StoreError? { state.withLock(\.fault) }

    /// Runs the body, independently of any earlier run.
    ///
    /// - Returns: `false` if the body threw.
    func perform(_ connection: SQLConnection) -> Bool {
        let effects = DurableEffects()
        do {
            let resume = try body(connection, effects)
            state.withLock { $0 = State(outcome: .success(resume, effects)) }
            return true
        } catch {
            files.note(error)
            let fault = StoreError.ofDatabase(error)
            state.withLock { $0 = State(outcome: .failure(StoreError.ofStore(error)), fault: fault) }
            return false
        }
    }

    /// Runs the effects of the body, and resumes the caller with its result or error, after the group became durable.
    func succeed() {
        switch state.withLock(\.outcome) {
        case .success(let resume, let effects):
            effects.run()
            resume()
        case .failure(let error): refuse(error)
        case nil: refuse(StoreError.unavailable(cause: "the unit was not run"))
        }
    }

    /// Resumes the caller with the error of the group.
    ///
    /// The body's own result or error is not used: it may rely on writes of the group, which are undone.
    func fail(_ failure: StoreError) { refuse(failure) }
}

extension StoreError {
    /// Returns an error of the database as a ``StoreError``, and any other error unchanged.
    static func ofStore(_ error: any Error) -> any Error {
        error is DatabaseError ? StoreError(error) : error
    }

    /// Returns an error of the database that is not about the values to be written, or `nil` for any other error.
    fileprivate static func ofDatabase(_ error: any Error) -> StoreError? {
        guard error is DatabaseError else { return nil }
        let failure = StoreError(error)
        if case .conflict = failure { return nil }
        return failure
    }
}
