import Kernel
import PostgresServer
import Testing

@testable import Storage

/// The uses of small limits that daemons count together, on a real server.
struct PostgresSharedUsesTests {
    private static let tries = RateLimit(burst: 12, every: .seconds(150))

    private let database: TestPostgresDatabase

    init() async throws { database = try await PostgresServer.shared.migratedDatabase() }

    /// A daemon's connections.
    private func connect(_ deadline: Duration = .seconds(20)) -> PostgresDatabase {
        var options = database.options
        options.poolSize = 4
        options.deadline = deadline
        return PostgresDatabase.connect(options, environment: .tests)
    }

    private func rows() async throws -> Int {
        try await database.run("SELECT count(*) FROM limit_uses").first?.first.flatMap { $0 }.flatMap { Int($0) } ?? -1
    }

    // T-273
    @Test func `attack: of a hundred tries in one moment over three daemons the limit's number is admitted, no more`()
        async throws
    {
        let daemons = [connect(), connect(), connect()]
        defer { for daemon in daemons { daemon.close() } }
        let uses = daemons.map { PostgresSharedUses($0) }
        let waits: [Duration?] = try await withThrowingTaskGroup(of: Duration?.self) { group in
            for number in 0..<100 { group.addTask { try await uses[number % 3].take(7, Self.tries) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(waits.count { $0 == nil } == 12)
        #expect(waits.compactMap(\.self).allSatisfy { $0 > .seconds(100) && $0 <= .seconds(150) })
        #expect(try await uses[1].wait(7, Self.tries) != nil)
        #expect(try await uses[1].take(8, Self.tries) == nil, "another key is not affected")
    }

    @Test func `a key gets one more request in each period, and a budget does not pile up`() async throws {
        let daemon = connect()
        defer { daemon.close() }
        let uses = PostgresSharedUses(daemon)
        let limit = RateLimit(burst: 2, every: .seconds(60))
        for _ in 0..<2 { #expect(try await uses.take(1, limit) == nil) }
        #expect(try await uses.take(1, limit) != nil)
        // A minute passes.
        try await database.run("UPDATE limit_uses SET paid_until = paid_until - 60000000")
        #expect(try await uses.take(1, limit) == nil)
        #expect(try await uses.take(1, limit) != nil)
        // A day passes.
        try await database.run("UPDATE limit_uses SET paid_until = paid_until - 86400000000")
        for _ in 0..<2 { #expect(try await uses.take(1, limit) == nil) }
        #expect(try await uses.take(1, limit) != nil)
    }

    @Test func `a use that is given back is free again, and gives nobody more than the budget`() async throws {
        let daemon = connect()
        defer { daemon.close() }
        let uses = PostgresSharedUses(daemon)
        let limit = RateLimit(burst: 1, every: .seconds(60))
        #expect(try await uses.take(1, limit) == nil)
        try await uses.giveBack(1, limit)
        #expect(try await uses.take(1, limit) == nil)
        #expect(try await uses.take(1, limit) != nil)
        for _ in 0..<5 { try await uses.giveBack(1, limit) }
        try await uses.giveBack(2, limit)
        #expect(try await uses.take(1, limit) == nil)
        #expect(try await uses.take(1, limit) != nil)
    }

    @Test func `a mark is seen by every daemon until its end, and a later one does not shorten it`() async throws {
        let (first, second) = (connect(), connect())
        defer {
            first.close()
            second.close()
        }
        let (here, there) = (PostgresSharedUses(first), PostgresSharedUses(second))
        #expect(try await !there.isMarked(.max))
        try await here.mark(.max, for: .seconds(60))
        try await there.mark(.max, for: .seconds(1))
        #expect(try await there.isMarked(.max))
        let paid = try await there.paid([.max, 1, .max - 1])
        #expect(paid.keys.sorted() == [.max])
        #expect(paid[.max].map { $0 > .seconds(40) && $0 <= .seconds(60) } == true)
        try await database.run("UPDATE limit_uses SET paid_until = paid_until - 60000000")
        #expect(try await !here.isMarked(.max))
        #expect(try await here.paid([]).isEmpty)
    }

    // T-273
    @Test func `expired rows are deleted now and then, and rows in use are left`() async throws {
        let daemon = connect()
        defer { daemon.close() }
        try await database.run(
            "INSERT INTO limit_uses SELECT number, 1000 + number FROM generate_series(1, 1500) AS numbers (number)"
        )
        // Each daemon deletes with its first use, and after a full batch again half a second later.
        let uses = PostgresSharedUses(daemon)
        #expect(try await uses.take(.max, Self.tries) == nil)
        try await wait { try await rows() == 501 }
        try await Task.sleep(for: .milliseconds(600))
        #expect(try await uses.take(.max - 1, Self.tries) == nil)
        try await wait { try await rows() == 2 }
        try await database.run("INSERT INTO limit_uses VALUES (1, 1000)")
        #expect(try await uses.take(.max - 2, Self.tries) == nil)
        try await Task.sleep(for: .milliseconds(200))
        #expect(try await rows() == 4, "the next deletion comes ten seconds later")
    }

    private func wait(_ condition: () async throws -> Bool) async throws {
        for _ in 0..<300 {
            if try await condition() { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("it did not come about within fifteen seconds")
    }

    // T-273
    @Test func `attack: a database that can't count is an error for every caller, within the deadline`() async throws {
        let daemon = connect(.seconds(1))
        let uses = PostgresSharedUses(daemon)
        #expect(try await uses.take(1, Self.tries) == nil)
        daemon.close()
        await #expect(throws: StoreError.self) { try await uses.take(1, Self.tries) }
        await #expect(throws: StoreError.self) { try await uses.paid([1]) }
        await #expect(throws: StoreError.self) { try await uses.mark(1, for: .seconds(1)) }
        let locked = connect()
        defer { locked.close() }
        try await locked.pool.run { lane in
            let blocker = try lane.connection()
            blocker.begin(.migration)
            _ = try blocker.run("SELECT key FROM limit_uses WHERE key = 1 FOR UPDATE")
        }
        let blocked = connect(.seconds(1))
        defer { blocked.close() }
        let others = PostgresSharedUses(blocked)
        let failure = await #expect(throws: StoreError.self) { try await others.take(1, Self.tries) }
        guard case .unavailable? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }
}
