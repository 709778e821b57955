package import Kernel
import Operations
import Synchronization

/// The disk that survives a crash: the committed tables of an in-memory store, and the tally of their use.
///
/// A process opens it with ``open()``. ``crash()`` cuts every open storage off, and ``cut(_:)`` one of several. What an
/// old process still had in progress can neither read nor write any more, as after a kill. The next `open()` finds what
/// was committed.
package final class MemoryDisk: Sendable {
    private let state: Mutex<State>
    private let onStep: @Sendable (StoreStep) async -> InjectedFault?
    private let repeatsUnits: Bool

    /// `repeatsUnits`: Runs every fifth unit twice, as a group whose other unit failed is.
    ///
    /// `onStep`: called before every unit and read; it may suspend (to let others in first) and says which fault to
    /// inject.
    ///
    /// A fault before a read always means that nothing was read.
    package init(
        people: [MemoryPerson] = [],
        repeatsUnits: Bool = true,
        onStep: @escaping @Sendable (StoreStep) async -> InjectedFault? = { _ in nil }
    ) {
        var tables = MemoryTables()
        for person in people { tables.people[person.account] = person }
        state = Mutex(State(tables: tables))
        self.onStep = onStep
        self.repeatsUnits = repeatsUnits
    }

    /// Returns a storage as a starting process has it.
    package func open() -> MemoryStorage {
        let life = state.withLock { state in
            state.lives += 1
            state.open.insert(state.lives)
            return state.lives
        }
        return MemoryStorage(MemoryConnection(disk: self, life: life))
    }

    /// While it is down no unit runs and nothing is read.
    package var isDown: Bool {
        get { state.withLock(\.isDown) }
        set { state.withLock { $0.isDown = newValue } }
    }

    /// Changes the committed tables behind the program's back.
    func change(_ body: (inout MemoryTables) -> Void) { state.withLock { body(&$0.tables) } }

    /// Cuts off every storage opened so far.
    package func crash() { state.withLock { $0.open = [] } }

    /// Cuts off one storage.
    package func cut(_ storage: MemoryStorage) {
        state.withLock { _ = $0.open.remove(storage.unitOfWork.connection.life) }
    }

    /// The committed tables.
    package var tables: MemoryTables { state.withLock(\.tables) }

    /// The operations on the store so far.
    package var tally: StoreTally { state.withLock(\.tally) }

    /// Returns every committed write of an operation since the last call, in order of commit.
    package func takeWrites() -> [MemoryTables.Write] {
        state.withLock { state in
            defer { state.writes = [] }
            return state.writes
        }
    }

    /// The next unit fails that way, whatever `onStep` says.
    package func failNextUnit(_ fault: InjectedFault) { state.withLock { $0.nextFault = fault } }

    /// Changes a person from outside, as an operator would: in a commit of its own that no fault hits.
    package func change(_ account: AccountID, _ body: @Sendable (inout MemoryPerson) -> Void) {
        state.withLock { state in
            guard var person = state.tables.people[account] else { return }
            body(&person)
            state.tables.people[account] = person
        }
    }

    /// Forgets the claims, as in a store migrated from before claims of scans were kept.
    package func forgetClaims() { state.withLock { $0.tables.scans = [:] } }

    func commit<T: Sendable>(
        life: Int,
        lane: Int,
        _ body: @Sendable (borrowing Transaction) throws -> T
    ) async throws -> T {
        let asked = await onStep(.unit)
        // Outside the lock: an effect may read this disk.
        let (value, effects) = try commit(life: life, lane: lane, asked: asked, body)
        effects.run()
        return value
    }

    private func commit<T: Sendable>(
        life: Int,
        lane: Int,
        asked: InjectedFault?,
        _ body: @Sendable (borrowing Transaction) throws -> T
    ) throws -> (value: T, effects: DurableEffects) {
        try state.withLock { state in
            state.tally.units += 1
            let fault = state.nextFault ?? asked
            state.nextFault = nil
            guard state.open.contains(life), !state.isDown else {
                throw StoreError.unavailable(cause: "the process is gone")
            }
            // A group whose other unit failed is run again (``UnitOfWork``): what the first run did must leave no trace.
            if repeatsUnits, state.tally.units.isMultiple(of: 5) {
                _ = try? body(Transaction(context: MemoryDraft(state.tables), lane: lane, effects: DurableEffects()))
            }
            let draft = MemoryDraft(state.tables)
            let effects = DurableEffects()
            let result = Result { try body(Transaction(context: draft, lane: lane, effects: effects)) }
            state.tally.add(draft.tally)
            let value = try result.get()
            if fault == .beforeCommit { throw StoreError.unavailable(cause: "injected before the commit") }
            state.tables = draft.tables
            state.writes += draft.writes
            if fault == .afterCommit { throw StoreError.unavailable(cause: "injected after the commit") }
            return (value, effects)
        }
    }

    func read<T: Sendable>(life: Int, _ body: @Sendable (MemoryTables) throws -> T) async throws -> T {
        let fault = await onStep(.read)
        return try state.withLock { state in
            state.tally.reads += 1
            guard state.open.contains(life), !state.isDown else {
                throw StoreError.unavailable(cause: "the process is gone")
            }
            guard fault == nil else { throw StoreError.unavailable(cause: "injected before the read") }
            return try body(state.tables)
        }
    }

    /// Reads with a body that takes a transaction, in which it must not write.
    func look<T: Sendable>(
        life: Int,
        lane: Int,
        _ body: @Sendable (borrowing Transaction) throws -> T
    ) async throws -> T {
        try await read(life: life) { tables in
            let draft = MemoryDraft(tables)
            let value = try body(Transaction(context: draft, lane: lane))
            guard !draft.isChanged else { throw StoreError.conflict(cause: "a read has written") }
            return value
        }
    }

    private struct State {
        var tables: MemoryTables
        /// The numbers of the storages that are not cut off; 0 is that of a store by itself.
        var open: Set<Int> = [0]
        var lives = 0
        var isDown = false
        var tally = StoreTally()
        var writes: [MemoryTables.Write] = []
        var nextFault: InjectedFault?
    }
}

/// A point at which a caller waits for the store.
package enum StoreStep: Sendable {
    case unit, read
}

/// A fault to inject into a unit of work.
package enum InjectedFault: Sendable {
    /// The unit is undone and its caller gets the error.
    case beforeCommit
    /// The unit is durable, yet its caller gets an error.
    case afterCommit
}

/// How often the store was touched.
package struct StoreTally: Sendable, Equatable {
    /// Units of work begun.
    package var units = 0
    /// Reads outside a unit.
    package var reads = 0
    /// Lookups inside a unit.
    package var lookups = 0
    /// Rows inserted, updated or tried to be updated inside a unit.
    package var writes = 0

    package init() {}

    mutating func add(_ other: StoreTally) {
        units += other.units
        reads += other.reads
        lookups += other.lookups
        writes += other.writes
    }

    /// Returns what was done between two readings.
    package static func - (left: Self, right: Self) -> Self {
        var difference = left
        difference.units -= right.units
        difference.reads -= right.reads
        difference.lookups -= right.lookups
        difference.writes -= right.writes
        return difference
    }
}
