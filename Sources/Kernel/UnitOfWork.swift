// Kernel: the code that two modules would otherwise write twice.
// Owns ids, secrets, digests, text, JSON, time, limits, and the ports `UnitOfWork`, `AuditLog` and `Encryptor`.
// Imports Crypto and no other module of this package.
// Survives hostile text and bytes: every reader is bounded, and refuses instead of guessing.
// A new helper goes here once a second module needs it.

/// One transaction across modules: everything that is written in one unit becomes durable together or not at all.
///
/// Units that run at the same time may share one transaction and one sync of the disk (group commit); a failing unit
/// undoes only itself. `run` returns when the unit is durable.
package protocol UnitOfWork: Sendable {
    /// Runs `body` in a transaction.
    ///
    /// The body may run twice, when another unit of its group failed; only the second run counts. So it must change
    /// nothing but what the transaction holds. Errors that `body` throws are rethrown as they are and undo the unit; an
    /// error of the store itself is a ``StoreError``.
    func run<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T

    /// Runs a `body` that changes nothing over the durable state, without waiting for writers.
    ///
    /// The body sees the state of one moment, which may be over by the time that it returns. A write is a
    /// ``StoreError``; errors are those of ``run(_:)``.
    func read<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T
}

extension UnitOfWork {
    /// Runs the body in a unit like any other, where the only connection is the writer's.
    package func read<T: Sendable>(
        _ body: @escaping @Sendable (borrowing Transaction) throws -> T
    ) async throws -> T { try await run(body) }
}

/// The right to write, for the length of one unit of work.
///
/// Writing port methods are synchronous and take it; only the storage that made it can look inside.
package struct Transaction: ~Copyable {
    private let context: AnyObject

    package init(context: AnyObject) { self.context = context }

    /// Returns the storage's own context, or `nil` for a transaction of another storage.
    package borrowing func context<Context: AnyObject>(as type: Context.Type) -> Context? { context as? Context }
}

/// Deletes the rows of one kind that ended before an instant, about so many of them, in one unit of work.
///
/// The limit bounds the unit, and is not exact: rows that belong to a deleted one go with it, and may be counted.
/// Returns the number of deleted rows; a number below the limit means that none is left.
package typealias Purge =
    @Sendable (_ before: Instant, _ limit: Int, _ transaction: borrowing Transaction) throws -> Int

/// The reason why a store could not do what was asked.
///
/// Every other result of a port is a value.
package enum StoreError: Error, Equatable, Sendable {
    /// The store can't be reached or written just now (disk full, locked, read-only): a later try may succeed.
    ///
    /// A unit whose commit failed may be durable all the same; a caller that has to know reads again. `cause` is for
    /// the log, never for the wire.
    case unavailable(cause: String)
    /// The stored data can't be read: a row that no version of this program wrote.
    case corrupt(cause: String)
    /// The write contradicts the stored data (a constraint): a fault of the program, and no later try of the same write
    /// will succeed. Nothing was changed.
    case conflict(cause: String)
    /// A transaction of another storage was handed in: a fault of the program.
    case foreignTransaction
}
