import GRDB
package import Kernel
import Synchronization

/// Group commit: units that wait at the same time share one SQLite transaction and one sync of the disk.
///
/// Each stands in a savepoint of its own, so that a failing unit undoes only itself; each caller resumes when the
/// shared commit is durable. A fault of the commit itself fails the whole group, and nothing of it is there.
package final class SQLiteUnitOfWork: UnitOfWork {
    /// The most units in one transaction: bounds how long the first of them waits for the last.
    private static let maximumGroup = 512

    private let pool: DatabasePool
    private let queue = Mutex(Queue())
    private let onGroup: @Sendable (Int) -> Void

    /// `onGroup`: told the size of each committed group.
    package init(_ database: SQLiteDatabase, onGroup: @escaping @Sendable (Int) -> Void = { _ in }) {
        pool = database.pool
        self.onGroup = onGroup
    }

    package func run<T: Sendable>(
        _ body: @escaping @Sendable (borrowing Transaction) throws -> T
    ) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            enqueue(Unit(body: body, continuation: continuation))
        }
    }

    private func enqueue(_ unit: any PendingUnit) {
        let mustDrain = queue.withLock { queue in
            queue.waiting.append(unit)
            defer { queue.isDraining = true }
            return !queue.isDraining
        }
        if mustDrain { pool.asyncWriteWithoutTransaction { [self] database in drain(database) } }
    }

    private func drain(_ database: Database) {
        while true {
            let group = queue.withLock { queue in
                let group = Array(queue.waiting.prefix(Self.maximumGroup))
                queue.waiting.removeFirst(group.count)
                if group.isEmpty { queue.isDraining = false }
                return group
            }
            guard !group.isEmpty else { return }
            commit(group, database)
            onGroup(group.count)
        }
    }

    private func commit(_ group: [any PendingUnit], _ database: Database) {
        do {
            try database.beginTransaction(.immediate)
            for unit in group { try perform(unit, isAlone: group.count == 1, database) }
            try database.commit()
        } catch {
            if database.isInsideTransaction { try? database.rollback() }
            let failure = StoreFailure(error)
            for unit in group { unit.fail(failure) }
            return
        }
        for unit in group { unit.succeed() }
    }

    /// Runs one unit; throws only what must end the whole group.
    private func perform(_ unit: any PendingUnit, isAlone: Bool, _ database: Database) throws {
        let transaction = Transaction(context: database)
        if isAlone {
            // Alone there is no one to shield: a failing unit rolls the transaction back.
            guard unit.perform(transaction) else {
                try database.rollback()
                try database.beginTransaction(.immediate)
                return
            }
            return
        }
        try database.cachedStatement(sql: "SAVEPOINT unit").execute()
        let isDone = unit.perform(transaction)
        // A full disk or an I/O error may have ended the transaction under the group.
        guard database.isInsideTransaction else { throw StoreFailure.unavailable(cause: "the transaction was ended") }
        if !isDone { try database.cachedStatement(sql: "ROLLBACK TO unit").execute() }
        try database.cachedStatement(sql: "RELEASE unit").execute()
    }

    private struct Queue {
        var waiting: [any PendingUnit] = []
        var isDraining = false
    }
}

/// A unit whose result type is hidden from the queue.
private protocol PendingUnit: AnyObject, Sendable {
    /// Runs the body; `false` if it threw.
    func perform(_ transaction: borrowing Transaction) -> Bool
    /// The group is durable: resumes the caller with what the body gave or threw.
    func succeed()
    /// The group failed: resumes the caller with that, or with what its own body threw.
    func fail(_ failure: StoreFailure)
}

private final class Unit<T: Sendable>: PendingUnit {
    private let body: @Sendable (borrowing Transaction) throws -> T
    private let continuation: CheckedContinuation<T, any Error>
    private let result = Mutex<Result<T, any Error>?>(nil)

    init(
        body: @escaping @Sendable (borrowing Transaction) throws -> T,
        continuation: CheckedContinuation<T, any Error>
    ) {
        self.body = body
        self.continuation = continuation
    }

    func perform(_ transaction: borrowing Transaction) -> Bool {
        do {
            let value = try body(transaction)
            result.withLock { $0 = .success(value) }
            return true
        } catch {
            let mapped: any Error = error is DatabaseError ? StoreFailure(error) : error
            result.withLock { $0 = .failure(mapped) }
            return false
        }
    }

    func succeed() {
        let result = result.withLock { $0 } ?? .failure(StoreFailure.unavailable(cause: "the unit was not run"))
        continuation.resume(with: result)
    }

    func fail(_ failure: StoreFailure) {
        let own = result.withLock { $0 }
        if case .failure(let error) = own {
            continuation.resume(throwing: error)
        } else {
            continuation.resume(throwing: failure)
        }
    }
}

extension Transaction {
    /// The connection of this transaction, for the length of a unit.
    borrowing func database() throws -> Database {
        guard let database = context(as: Database.self) else { throw StoreFailure.foreignTransaction }
        return database
    }
}
