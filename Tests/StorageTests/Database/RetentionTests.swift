import GRDB
import Kernel
import Logging
import Operations
import StoreContract
import Testing

@testable import Storage

struct RetentionTests {
    private static let now = Sample.now + .seconds(100_000)
    private static let kept: Duration = .seconds(1000)

    private let file: TestDatabase
    private let store: SQLOperationStore
    private let groups = GroupSizes()
    private let unitOfWork: SQLiteUnitOfWork

    init() throws {
        file = try TestDatabase()
        let database = try file.open()
        store = SQLOperationStore(database)
        unitOfWork = SQLiteUnitOfWork(database) { [groups] in groups.note($0) }
    }

    @Test func `a sweep deletes what is too old, in units of one batch each`() async throws {
        try await insert(1...35) { .failed(.expired, at: Self.now - Self.kept - .milliseconds(Int64($0))) }
        let before = groups.all.count
        #expect(try await retention(batch: 10).sweep(at: Self.now) == 35)
        #expect(groups.all.count - before == 4, "10, 10, 10 and 5")
        #expect(try file.count("operations") == 0)
    }

    @Test func `a sweep leaves what is young enough, and whatever is live`() async throws {
        try await insert(1...5) { .failed(.expired, at: Self.now - Self.kept + .milliseconds(Int64($0) - 1)) }
        try await insert(11...14) { number in OperationSample.everyState.filter { !$0.isTerminal }[Int(number) - 11] }
        try await insert(21...21) { _ in .failed(.expired, at: Self.now - Self.kept - .milliseconds(1)) }
        #expect(try await retention(batch: 10).sweep(at: Self.now) == 1)
        #expect(try file.count("operations") == 9)
        #expect(try await store.find(row: OperationSample.operation(21).id) == nil)
    }

    @Test func `a sweep of nothing is one look`() async throws {
        #expect(try await retention(batch: 10).sweep(at: Self.now) == 0)
        #expect(groups.all == [1])
    }

    @Test func `a sweep that finds the store unavailable is tried again at the next interval`() async throws {
        try await insert(1...1) { _ in .failed(.expired, at: Sample.now) }
        let outsider = try file.outsider()
        try await outsider.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        let retention = retention(batch: 10)
        await #expect(throws: StoreError.self) { try await retention.sweep(at: Self.now) }
        try await outsider.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await retention.run() }
            while (try? file.count("operations")) != 0 { await Task.yield() }
            group.cancelAll()
        }
        #expect(try file.count("operations") == 0)
    }

    private func retention(batch: Int) -> Retention {
        let operations = Retention.Rule("operations", keep: Self.kept, purge: SQLExpiringRows.operations.purge)
        let environment = Environment(
            now: { Self.now },
            clock: TaskClock(),
            randomBytes: { Array(repeating: 0, count: $0) }
        )
        return Retention(
            [operations],
            rounds: LeaderRounds(every: .milliseconds(1), clock: environment.clock),
            batch: batch,
            time: SweepClock(environment, isSupported: { _ in true }, tell: { _, _ in }),
            unitOfWork: unitOfWork,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    private func insert(_ numbers: ClosedRange<UInt64>, _ state: (UInt64) -> OperationState) async throws {
        let operations = numbers.map { OperationSample.operation($0, state: state($0)) }
        try await unitOfWork.run { [store] transaction in
            for operation in operations { try store.insert(operation, in: transaction) }
        }
    }
}

/// Sleeps for a moment, whatever it is asked for.
private struct TaskClock: MonotonicClock {
    var now: Uptime { Uptime(nanoseconds: 0) }
    func sleep(until deadline: Uptime) async throws { try await Task.sleep(for: .milliseconds(1)) }
}
