import GRDB
import Kernel
import StoreContract
import Synchronization
import Testing

@testable import Storage

struct DurableEffectsTests {
    private struct RefusedError: Error {}

    /// What the effects did.
    private final class Notes: Sendable {
        private let notes = Mutex<[Int]>([])

        var all: [Int] { notes.withLock(\.self) }
        func add(_ note: Int) { notes.withLock { $0.append(note) } }
    }

    private let file: TestDatabase
    private let database: SQLiteDatabase
    private let store: SQLOperationStore
    private let unitOfWork: SQLiteUnitOfWork
    private let notes = Notes()

    init() throws {
        file = try TestDatabase()
        database = try file.open()
        store = SQLOperationStore(database)
        unitOfWork = SQLiteUnitOfWork(database)
    }

    @Test(arguments: StorageEngine.allCases, DurableEffectsContract.allCases)
    func `units of every engine keep the contract`(
        _ engine: StorageEngine,
        _ promise: DurableEffectsContract
    ) async throws {
        try await engine.run { try await promise.check($0.unitOfWork) }
    }

    @Test func `a group with a failing unit runs the others' effects once, and none of the failing unit's`()
        async throws
    {
        let runs = Notes()
        let results = try await unitOfWork.together(30) { [store, notes] number, transaction in
            runs.add(number)
            try store.insert(OperationSample.operation(UInt64(number)), in: transaction)
            transaction.whenDurable { notes.add(number) }
            if number == 17 { throw RefusedError() }
        }
        #expect(results.enumerated().filter { !$0.element.isSuccess }.map(\.offset) == [17])
        #expect(runs.all.count > 30, "the group was run again")
        #expect(notes.all.sorted() == (0..<30).filter { $0 != 17 })
    }

    @Test func `an effect finds through another connection what its unit wrote`() async throws {
        let outsider = try file.outsider()
        try await unitOfWork.run { [store, notes] transaction in
            try store.insert(OperationSample.operation(1), in: transaction)
            transaction.whenDurable {
                let count = try? outsider.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM operations") }
                notes.add(count ?? -1)
            }
        }
        #expect(notes.all == [1])
    }

    @Test func `a commit that fails drops the effects of the whole group`() async throws {
        let results = try await unitOfWork.together(10) { [notes] number, transaction in
            transaction.whenDurable { notes.add(number) }
            guard number == 4 else { return }
            // A broken reference that is looked at no sooner than at the commit.
            let writer = try transaction.connection()
            try writer.change("PRAGMA defer_foreign_keys = ON")
            try writer.change("INSERT INTO account_attributes (account, name, value) VALUES ('x', 'y', 'z')")
        }
        #expect(results.allSatisfy { !$0.isSuccess })
        #expect(notes.all.isEmpty)
    }

    @Test func `an effect that is added by a read is dropped`() async throws {
        try await unitOfWork.read { [notes] transaction in transaction.whenDurable { notes.add(1) } }
        #expect(notes.all.isEmpty)
    }
}
