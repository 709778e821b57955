import Foundation
import Glibc
import Kernel
import PostgresServer
import Testing

@testable import Storage

/// The lock by which daemons share a database, and a move of rows has it alone.
struct PostgresClaimTests {
    private let server: PostgresServer
    private let clock = Environment.tests.clock

    init() async throws { server = try await PostgresServer.shared }

    private func claim(
        _ kind: PostgresClaim.Kind = .alone,
        _ database: TestPostgresDatabase,
        _ states: Collected<PostgresClaim.State> = Collected()
    ) throws -> PostgresClaim {
        try PostgresClaim(kind, database.options, clock: clock) { states.add($0) }
    }

    /// Waits for a state, as the last one that a claim tells.
    private func wait(for state: PostgresClaim.State, in states: Collected<PostgresClaim.State>) async throws {
        for _ in 0..<600 where states.all.last != state { try await Task.sleep(for: .milliseconds(50)) }
        #expect(states.all.last == state, "\(states.all)")
    }

    // T-221
    @Test func `daemons share a database, which a move of rows waits for, and which it then has alone`() async throws {
        let database = try await server.emptyDatabase()
        let daemons = try (0..<3).map { _ in try claim(.shared, database) }
        #expect(throws: PostgresOpenError.self) { try claim(.alone, database) }
        for daemon in daemons { daemon.close() }
        let move = try claim(.alone, database)
        let error = #expect(throws: PostgresOpenError.self) { try claim(.shared, database) }
        #expect(error?.reason == .claimed)
        move.close()
        try claim(.shared, database).close()
    }

    // T-221
    @Test func `a database that another process uses alone is refused until that one ends`() async throws {
        let (database, other) = (try await server.emptyDatabase(), try await server.emptyDatabase())
        let first = try claim(.alone, database)
        let error = #expect(throws: PostgresOpenError.self) { try claim(.alone, database) }
        #expect(error?.reason == .claimed)
        #expect(error?.message.contains("in use by another Vestibule") == true)
        // A lock belongs to one database of the server.
        try claim(.alone, other).close()
        first.close()
        first.close()
        try claim(.alone, database).close()
    }

    @Test(arguments: [Duration.zero, .seconds(5), .seconds(-5)])
    func `a claim reads the server's clock, with which a machine's that is wrong differs`(
        _ ahead: Duration
    ) async throws {
        let database = try await server.emptyDatabase()
        let now = { @Sendable in Instant(milliseconds: Int64(Date.now.timeIntervalSince1970 * 1000)) + ahead }
        let environment = Environment(now: now, clock: clock, randomBytes: Environment.tests.randomBytes)
        let witness = DatabaseClock(environment) { _ in }
        let claim = try PostgresClaim(.shared, database.options, clock: clock, witness: witness) { _ in }
        defer { claim.close() }
        for _ in 0..<200 where witness.now == nil { try await Task.sleep(for: .milliseconds(50)) }
        let skew = try #require(witness.skew).ahead
        #expect(skew - ahead < .seconds(1) && skew - ahead > .seconds(-1), "\(skew)")
        #expect(witness.isSkewed == (ahead != .zero))
    }

    // T-221
    @Test func `a claim whose process is gone is free`() async throws {
        let database = try await server.emptyDatabase()
        var first: PostgresClaim? = try claim(.alone, database)
        #expect(first != nil)
        first = nil
        try claim(.alone, database).close()
    }

    // T-221
    @Test func `a claim that was lost with its connection is taken again, and told`() async throws {
        let database = try await server.emptyDatabase()
        let states = Collected<PostgresClaim.State>()
        let claim = try claim(.shared, database, states)
        let backend = try #require(try await server.backends(of: database.name).first)
        try await database.run("SELECT pg_terminate_backend(\(backend), 5000)")
        try await wait(for: .held, in: states)
        #expect(states.all == [.lost, .held])
        #expect(throws: PostgresOpenError.self) { try self.claim(.alone, database) }
        claim.close()
    }

    // T-221
    @Test func `a lost claim that another process took is told, and taken again after that one's end`() async throws {
        let database = try await server.emptyDatabase()
        let states = Collected<PostgresClaim.State>()
        let first = try claim(.shared, database, states)
        var second: PostgresClaim?
        // The first claim looks at its connection every two seconds, and is rarely the sooner of the two.
        for _ in 0..<5 where second == nil {
            let backend = try #require(try await server.backends(of: database.name).first)
            try await database.run("SELECT pg_terminate_backend(\(backend), 5000)")
            second = try? claim(.alone, database)
        }
        let other = try #require(second)
        try await wait(for: .taken, in: states)
        #expect(first.isTaken)
        other.close()
        try await wait(for: .held, in: states)
        #expect(!first.isTaken)
        #expect(states.all.suffix(3) == [.lost, .taken, .held])
        first.close()
    }

    // T-221
    @Test func `a claim whose own server process stands still is taken again on another connection`() async throws {
        let database = try await server.emptyDatabase()
        var options = database.options
        options.deadline = .seconds(1)
        let states = Collected<PostgresClaim.State>()
        let claim = try PostgresClaim(.shared, options, clock: clock) { states.add($0) }
        let backend = try #require(pid_t(exactly: try await server.backends(of: database.name).first ?? 0))
        #expect(kill(backend, SIGSTOP) == 0)
        defer { kill(backend, SIGCONT) }
        try await wait(for: .held, in: states)
        #expect(states.all == [.lost, .held])
        // What stands still has its lock as well.
        #expect(throws: PostgresOpenError.self) { try self.claim(.alone, database) }
        claim.close()
    }
}
