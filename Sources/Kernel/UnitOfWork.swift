// Kernel: the code that two modules would otherwise write twice.
// Owns ids, secrets, digests, text, JSON, time, limits, and the ports `UnitOfWork`, `AuditLog` and `Encryptor`.
// Imports Crypto and no other module of this package.
// Survives hostile text and bytes: every reader is bounded, and refuses instead of guessing.
// A new helper goes here once a second module needs it.

/// One transaction across modules: everything that is written in one unit becomes durable together or not at all.
///
/// Units that run at the same time may share one transaction and one sync of the disk (group commit). A failing unit
/// undoes only itself. `run` returns when the unit is durable.
///
/// Units need not become durable in the order in which they began or were passed to `run`. A caller that needs an order
/// waits for the first unit before it starts the second.
package protocol UnitOfWork: Sendable {
    /// Runs `body` in a transaction.
    ///
    /// The body may run several times: when another unit of its group failed, or when units that ran at the same time
    /// contradict each other. Only the last run counts. So the body must change nothing but what the transaction holds.
    /// What has to follow the commit is passed to ``Transaction/whenDurable(_:)``, or follows this call.
    ///
    /// Errors that `body` throws are rethrown as they are and undo the unit. An error of the database is a
    /// ``StoreError``.
    func run<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T

    /// Runs a `body` that only reads the durable state, without waiting for writers.
    ///
    /// The body sees the state of one moment, which may have changed before it returns. So nothing may be granted on the
    /// basis of it alone. A write throws a ``StoreError``, and other errors are those of ``run(_:)``.
    func read<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T
}

extension UnitOfWork {
    /// Runs the body in a unit like any other, for a storage whose only connection is the writer's.
    package func read<T: Sendable>(
        _ body: @escaping @Sendable (borrowing Transaction) throws -> T
    ) async throws -> T { try await run(body) }
}

/// The right to write, for the length of one unit of work.
///
/// Writing port methods are synchronous and take it. Only the storage that made it can look inside.
package struct Transaction: ~Copyable {
    private let context: AnyObject
    /// The number of the connection that the unit writes on, from 0.
    ///
    /// Units of one lane of one process run one after another. A storage with one writing connection has only lane 0.
    package let lane: Int
    let effects: DurableEffects?

    /// `effects`: keeps what ``whenDurable(_:)`` adds, for one run of one unit; `nil` for a read.
    package init(context: AnyObject, lane: Int = 0, effects: DurableEffects? = nil) {
        self.context = context
        self.lane = lane
        self.effects = effects
    }

    /// Returns the storage's own context, or `nil` for a transaction of another storage.
    package borrowing func context<Context: AnyObject>(as type: Context.Type) -> Context? { context as? Context }
}

/// Deletes about `limit` rows of one kind that ended before an instant, in one unit of work.
///
/// The limit bounds the unit, and is not exact: rows that depend on a deleted one are deleted too, and may be counted.
/// Returns the number of deleted rows: a number below the limit means that no such row is left.
package typealias Purge =
    @Sendable (_ before: Instant, _ limit: Int, _ transaction: borrowing Transaction) throws -> Int

/// An error of the database behind a port.
///
/// A port returns every other outcome as a value.
package enum StoreError: Error, Equatable, Sendable {
    /// The database can't be reached or written just now (disk full, locked, read-only): a later try may succeed.
    ///
    /// A unit whose commit failed may still be durable, so that a caller that has to know reads again. `cause` is for
    /// the log, never for the wire.
    case unavailable(cause: String)
    /// The stored data can't be read: a row that no version of this program wrote.
    case corrupt(cause: String)
    /// The write contradicts the stored data (a constraint). This is an error of the program, and no later try of the
    /// same write will succeed. Nothing was changed.
    case conflict(cause: String)
    /// A transaction of another storage was passed, which is an error of the program.
    case foreignTransaction
}

extension StoreError {
    /// The cause for the log, never for the wire.
    package var cause: String {
        switch self {
        case .unavailable(let cause), .corrupt(let cause), .conflict(let cause): cause
        case .foreignTransaction: "a transaction of another store"
        }
    }
}
