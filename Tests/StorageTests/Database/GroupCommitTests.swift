import Dispatch
import GRDB
import Kernel
import Operations
import StoreContract
import Testing

@testable import Storage

struct GroupCommitTests {
    private struct RefusedError: Error, Equatable { let number: Int }

    private let file: TestDatabase
    private let database: SQLiteDatabase
    private let store: SQLOperationStore
    private let groups = GroupSizes()
    private let unitOfWork: SQLiteUnitOfWork

    init() throws {
        file = try TestDatabase()
        database = try file.open()
        store = SQLOperationStore(database)
        unitOfWork = SQLiteUnitOfWork(database) { [groups] in groups.note($0) }
    }

    @Test func `units that wait at the same time share one transaction`() async throws {
        let results = try await unitOfWork.together(40) { [store] number, transaction in
            try store.insert(Self.operation(number), in: transaction)
        }
        #expect(results.count == 40 && results.allSatisfy(\.isSuccess))
        #expect(await groups.reach([1, 40]))
        #expect(try file.count("operations") == 40)
    }

    @Test func `a group is bounded, so that the first of it does not wait for ever`() async throws {
        let results = try await unitOfWork.together(600) { number, _ in number }
        #expect(try results.map { try $0.get() } == Array(0..<600), "each caller gets its own result")
        #expect(await groups.reach([1, 512, 88]))
    }

    @Test func `a unit that is alone is a group of its own`() async throws {
        for number in 1...3 { try await insert(number) }
        #expect(await groups.reach([1, 1, 1]))
    }

    @Test(.timeLimit(.minutes(10)))
    func `a read goes beside the writer, over what is durable by then`() async throws {
        try await insert(1)
        let gate = DispatchSemaphore(value: 0)
        let (holding, writer) = AsyncStream.makeStream(of: Void.self)
        async let written: Void = unitOfWork.run { [store] transaction in
            try store.insert(Self.operation(2), in: transaction)
            writer.finish()
            gate.wait()
        }
        // A test that fails does not wait for ever.
        defer { gate.signal() }
        for await _ in holding {}
        #expect(try await operations() == 1, "while the writer has a unit in hand")
        gate.signal()
        try await written
        #expect(try await operations() == 2)
    }

    @Test func `attack: a write inside a read is refused, and errors of a read reach its caller`() async throws {
        try await insert(1)
        let write: @Sendable (borrowing Transaction) throws -> Void = { [store] in
            try store.insert(Self.operation(2), in: $0)
        }
        await #expect(throws: StoreError.self) { try await unitOfWork.read(write) }
        let refuse: @Sendable (borrowing Transaction) throws -> Void = { _ in throw RefusedError(number: 3) }
        await #expect(throws: RefusedError(number: 3)) { try await unitOfWork.read(refuse) }
        #expect(try file.count("operations") == 1)
        #expect(await groups.reach([1]), "no group was made of it")
    }

    /// Returns how many operations a read sees.
    private func operations() async throws -> Int? {
        try await unitOfWork.read { transaction in
            try transaction.connection().first("SELECT COUNT(*) AS count FROM operations") { try $0.count("count") }
        }
    }

    @Test func `a failing unit undoes itself and none of its group`() async throws {
        let results = try await unitOfWork.together(30) { [store] number, transaction in
            try store.insert(Self.operation(number), in: transaction)
            try store.insert(Self.operation(number + 100), in: transaction)
            if number.isMultiple(of: 3) { throw RefusedError(number: number) }
        }
        #expect(await groups.reach([1, 30]))
        for (number, result) in results.enumerated() {
            let fails = number.isMultiple(of: 3)
            #expect(result.error as? RefusedError == (fails ? RefusedError(number: number) : nil))
            for row in [number, number + 100] {
                #expect(try await (store.find(row: Self.operation(row).id) == nil) == fails, "row \(row)")
            }
        }
    }

    @Test func `a unit that breaks a constraint undoes itself and none of its group`() async throws {
        try await insert(7)
        let results = try await unitOfWork.together(20) { [store] number, transaction in
            try store.insert(Self.operation(number + 100), in: transaction)
            try store.insert(Self.operation(number), in: transaction)
        }
        #expect(results.enumerated().filter { !$0.element.isSuccess }.map(\.offset) == [7])
        guard case .conflict(let cause) = results[7].error as? StoreError else {
            Issue.record(
                "a fault of the store, not of its library, and no outage: \(String(describing: results[7].error))"
            )
            return
        }
        #expect(!cause.contains("INSERT"), "no SQL reaches a log")
        #expect(try file.count("operations") == 1 + 19 * 2)
    }

    @Test func `a failing unit that is alone leaves nothing, and the next one is taken`() async throws {
        await #expect(throws: RefusedError(number: 1)) {
            try await unitOfWork.run { [store] transaction in
                try store.insert(Self.operation(1), in: transaction)
                throw RefusedError(number: 1)
            }
        }
        #expect(try file.count("operations") == 0)
        try await insert(1)
        #expect(try file.count("operations") == 1)
    }

    @Test func `a caller that is told that a unit is done finds it through a second connection`() async throws {
        let outsider = try file.outsider()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<60 {
                group.addTask {
                    try await insert(number)
                    let id = Self.operation(number).id.description
                    let count = try await outsider.read {
                        try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM operations WHERE id = ?", arguments: [id])
                    }
                    #expect(count == 1, "unit \(number) was told too early")
                }
            }
            try await group.waitForAll()
        }
        #expect(groups.all.reduce(0, +) == 60)
    }

    @Test func `nobody else sees a unit before its group is committed`() async throws {
        let outsider = try file.outsider()
        let seen = try await unitOfWork.together(5) { [store] number, transaction in
            try store.insert(Self.operation(number), in: transaction)
            return try outsider.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM operations") }
        }
        #expect(try seen.map { try $0.get() } == [0, 0, 0, 0, 0])
    }

    @Test func `a commit that fails fails the whole group, and nothing of it is there`() async throws {
        let results = try await unitOfWork.together(10) { [store] number, transaction in
            try store.insert(Self.operation(number), in: transaction)
            if number == 8 { throw RefusedError(number: 8) }
            guard number == 4 else { return }
            // A broken reference that is looked at no sooner than at the commit.
            let writer = try transaction.connection()
            try writer.change("PRAGMA defer_foreign_keys = ON")
            try writer.change("INSERT INTO account_attributes (account, name, value) VALUES ('x', 'y', 'z')")
        }
        for (number, result) in results.enumerated() {
            // Also the one that threw: it may have looked at what another unit wrote, and that is gone.
            #expect((result.error as? StoreError)?.isUnavailable == true, "unit \(number)")
        }
        #expect(try file.count("operations") == 0)
        #expect(try file.count("account_attributes") == 0)
        try await insert(1)
        #expect(try file.count("operations") == 1, "the writer continues")
    }

    private static func operation(_ number: Int) -> Operations.Operation { OperationSample.operation(UInt64(number)) }

    private func insert(_ number: Int) async throws {
        try await unitOfWork.run { [store] transaction in
            try store.insert(Self.operation(number), in: transaction)
        }
    }
}

extension StoreError {
    var isUnavailable: Bool {
        switch self {
        case .unavailable: true
        case .corrupt, .conflict, .foreignTransaction: false
        }
    }
}
