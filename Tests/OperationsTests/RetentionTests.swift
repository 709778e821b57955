import Kernel
import Logging
import MemoryStore
import Operations
import StoreContract
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct RetentionTests {
    private let time = VirtualTime(wall: OperationSample.start + .seconds(100_000))
    private let disk = MemoryDisk()

    private func retention(
        batch: Int = 10,
        after first: Retention.Rule? = nil,
        isSupported: Bool = true,
        nodes: any NodeMembership = SingleNode()
    ) -> Retention {
        let storage = disk.open()
        let operations = Retention.Rule("operations", keep: .seconds(3600), purge: MemoryExpiringRows.operations.purge)
        return Retention(
            [first, operations].compactMap(\.self),
            rounds: LeaderRounds(every: .seconds(60), clock: time, nodes: nodes),
            batch: batch,
            time: SweepClock(time.environment(), isSupported: { _ in isSupported }, tell: { _, _ in }),
            unitOfWork: storage.unitOfWork,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    private func insert(_ numbers: ClosedRange<UInt64>, endedAgo: Duration) async throws {
        let storage = disk.open()
        let at = time.wall - endedAgo
        let operations = numbers.map { OperationSample.operation($0, state: .failed(.expired, at: at), seq: 2) }
        try await storage.unitOfWork.run { transaction in
            for operation in operations { try storage.operations.insert(operation, in: transaction) }
        }
    }

    // T-258
    @Test func `what ended long ago goes in batches, the rest stays`() async throws {
        try await insert(1...25, endedAgo: .seconds(3601))
        try await insert(30...33, endedAgo: .seconds(3600))
        let storage = disk.open()
        try await storage.unitOfWork.run { try storage.operations.insert(OperationSample.operation(99), in: $0) }
        let before = disk.tally.units
        #expect(try await retention().sweep(at: time.wall) == 25)
        #expect(disk.tally.units - before == 3)
        #expect(Set(disk.tables.operations.keys.map(\.bits.low)) == [30, 31, 32, 33, 99])
    }

    @Test func `rows that can't be deleted do not keep the others`() async throws {
        struct StuckError: Error {}
        try await insert(1...3, endedAgo: .seconds(3601))
        let broken = Retention.Rule("others", keep: .seconds(1)) { _, _, _ in throw StuckError() }
        await #expect(throws: StuckError.self) { try await retention(after: broken).sweep(at: time.wall) }
        #expect(disk.tables.operations.isEmpty)
    }

    @Test func `rows that live for minutes go while the clock can't be believed, all others stay`() async throws {
        try await insert(1...3, endedAgo: .seconds(3601))
        let asked = Mutex<[Instant]>([])
        let brief = Retention.Rule("others", keep: .seconds(7), isBrief: true) { instant, _, _ in
            asked.withLock { $0.append(instant) }
            return 0
        }
        let sweeping = retention(after: brief, isSupported: false)
        let task = Task { await sweeping.run() }
        while asked.withLock(\.isEmpty) { await Task.yield() }
        task.cancel()
        await task.value
        #expect(asked.withLock(\.first) == time.wall - .seconds(7))
        #expect(disk.tables.operations.count == 3)
    }

    @Test func `only the leader of several daemons deletes old rows, and two that sweep at once delete each once`()
        async throws
    {
        try await insert(1...25, endedAgo: .seconds(3601))
        let task = Task { [retention = retention(nodes: OtherLeader())] in await retention.run() }
        while time.sleeperCount == 0 { await Task.yield() }
        task.cancel()
        await task.value
        #expect(disk.tables.operations.count == 25)
        let deleted = try await withThrowingTaskGroup { group in
            for _ in 0..<2 { group.addTask { try await retention(batch: 2).sweep(at: time.wall) } }
            return try await group.reduce(0, +)
        }
        #expect(deleted == 25 && disk.tables.operations.isEmpty)
    }

    /// A daemon beside the leader.
    private struct OtherLeader: NodeMembership {
        let node = NodeName(slot: 1)
        let isShared = true
        let isLeaseHeld = true
        let adopted: Set<NodeName> = []
        let peers = Peers(count: 2, isLeader: false)
    }

    // T-258
    @Test func `each kind of rows has a time of its own`() async throws {
        let asked = Mutex<[Instant]>([])
        let other = Retention.Rule("others", keep: .seconds(7)) { instant, _, _ in
            asked.withLock { $0.append(instant) }
            return 0
        }
        #expect(try await retention(after: other).sweep(at: time.wall) == 0)
        #expect(asked.withLock { $0 } == [time.wall - .seconds(7)])
    }

    @Test func `the loop sweeps at its interval, outlives a fault, and stops when it is told to`() async throws {
        try await insert(1...5, endedAgo: .seconds(3570))
        let loop = Task { [retention = retention()] in await retention.run() }
        await until { time.sleeperCount == 1 }
        #expect(disk.tables.operations.count == 5)
        disk.failNextUnit(.beforeCommit)
        await nextSweep(leaves: 5)
        time.advance(by: .seconds(60))
        await until { disk.tables.operations.isEmpty }
        loop.cancel()
        await loop.value
    }

    /// Lets the loop make its next round.
    private func nextSweep(leaves count: Int) async {
        time.advance(by: .seconds(60))
        await until { time.sleeperCount == 1 }
        #expect(disk.tables.operations.count == count)
    }

    // T-264
    @Test func `attack: a clock 800 days ahead for a minute deletes no operations, and sweeps continue afterwards`()
        async throws
    {
        try await insert(1...5, endedAgo: .seconds(60))
        let loop = Task { [retention = retention()] in await retention.run() }
        await until { time.sleeperCount == 1 }
        time.stepWall(by: .seconds(800 * 86_400))
        for _ in 1...3 {
            time.advance(by: .seconds(60))
            await until { time.sleeperCount == 1 }
        }
        #expect(disk.tables.operations.count == 5)
        time.stepWall(by: .seconds(-800 * 86_400))
        await nextSweep(leaves: 5)
        time.advance(by: .seconds(3600))
        await until { disk.tables.operations.isEmpty }
        loop.cancel()
        await loop.value
    }
}
