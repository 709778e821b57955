import Kernel
import Synchronization

/// The tables of a store in memory, with their units of work.
///
/// A unit works on a copy, which is kept only if it succeeds. Every fifth is run twice, as a group whose other unit
/// failed is (``UnitOfWork``).
final class CopiedTables<Tables: Sendable>: Sendable {
    final class Draft {
        var tables: Tables
        init(_ tables: Tables) { self.tables = tables }
    }

    private struct State {
        var tables: Tables
        var units = 0
    }

    private let state: Mutex<State>

    init(_ tables: Tables) { state = Mutex(State(tables: tables)) }

    /// Reads what is kept, or changes it behind the program's back.
    func withTables<T: Sendable>(_ body: (inout Tables) -> T) -> T { state.withLock { body(&$0.tables) } }

    /// `check` may fail the unit before it is kept.
    func run<T: Sendable>(
        _ body: (borrowing Transaction) throws -> T,
        check: () throws -> Void = {}
    ) throws -> T {
        try state.withLock { state in
            state.units += 1
            if state.units.isMultiple(of: 5) { _ = try? body(Transaction(context: Draft(state.tables))) }
            let draft = Draft(state.tables)
            let value = try body(Transaction(context: draft))
            try check()
            state.tables = draft.tables
            return value
        }
    }

    func draft(_ transaction: borrowing Transaction) throws -> Draft {
        guard let draft = transaction.context(as: Draft.self) else { throw StoreError.foreignTransaction }
        return draft
    }
}
