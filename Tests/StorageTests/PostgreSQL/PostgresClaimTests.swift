import Foundation
import Glibc
import Kernel
import PostgresServer
import Testing

@testable import Storage

/// The lock that lets one process at a time use a database.
struct PostgresClaimTests {
    private let server: PostgresServer
    private let clock = Environment.tests.clock

    init() async throws { server = try await PostgresServer.shared }

    private func claim(
        _ database: TestPostgresDatabase,
        _ states: Collected<PostgresClaim.State> = Collected()
    ) throws -> PostgresClaim {
        try PostgresClaim(database.options, clock: clock) { states.add($0) }
    }

    /// Waits for a state, as the last one that a claim tells.
    private func wait(for state: PostgresClaim.State, in states: Collected<PostgresClaim.State>) async throws {
        for _ in 0..<600 where states.all.last != state { try await Task.sleep(for: .milliseconds(50)) }
        #expect(states.all.last == state, "\(states.all)")
    }

    // T-221
    @Test func `a database that another process uses is refused until that one ends`() async throws {
        let (database, other) = (try await server.emptyDatabase(), try await server.emptyDatabase())
        let first = try claim(database)
        let error = #expect(throws: PostgresOpenError.self) { try claim(database) }
        #expect(error?.reason == .claimed)
        #expect(error?.message.contains("in use by another Vestibule") == true)
        // A lock belongs to one database of the server.
        try claim(other).close()
        first.close()
        first.close()
        try claim(database).close()
    }

    @Test(arguments: [Duration.zero, .seconds(5), .seconds(-5)])
    func `a claim reads the server's clock, with which a machine's that is wrong differs`(
        _ ahead: Duration
    ) async throws {
        let database = try await server.emptyDatabase()
        let now = { @Sendable in Instant(milliseconds: Int64(Date.now.timeIntervalSince1970 * 1000)) + ahead }
        let environment = Environment(now: now, clock: clock, randomBytes: Environment.tests.randomBytes)
        let witness = DatabaseClock(environment) { _ in }
        let claim = try PostgresClaim(database.options, clock: clock, witness: witness) { _ in }
        defer { claim.close() }
        for _ in 0..<200 where witness.now == nil { try await Task.sleep(for: .milliseconds(50)) }
        let skew = try #require(witness.skew).ahead
        #expect(skew - ahead < .seconds(1) && skew - ahead > .seconds(-1), "\(skew)")
        #expect(witness.isSkewed == (ahead != .zero))
    }

    // T-221
    @Test func `a claim whose process is gone is free`() async throws {
        let database = try await server.emptyDatabase()
        var first: PostgresClaim? = try claim(database)
        #expect(first != nil)
        first = nil
        try claim(database).close()
    }

    // T-221
    @Test func `a claim that was lost with its connection is taken again, and told`() async throws {
        let database = try await server.emptyDatabase()
        let states = Collected<PostgresClaim.State>()
        let claim = try claim(database, states)
        let backend = try #require(try await server.backends(of: database.name).first)
        try await database.run("SELECT pg_terminate_backend(\(backend), 5000)")
        try await wait(for: .held, in: states)
        #expect(states.all == [.lost, .held])
        #expect(throws: PostgresOpenError.self) { try self.claim(database) }
        claim.close()
    }

    // T-221
    @Test func `a lost claim that another process took is told, and taken again after that one's end`() async throws {
        let database = try await server.emptyDatabase()
        let states = Collected<PostgresClaim.State>()
        let first = try claim(database, states)
        var second: PostgresClaim?
        // The first claim looks at its connection every two seconds, and is rarely the sooner of the two.
        for _ in 0..<5 where second == nil {
            let backend = try #require(try await server.backends(of: database.name).first)
            try await database.run("SELECT pg_terminate_backend(\(backend), 5000)")
            second = try? claim(database)
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
    @Test func `a claim whose own server process stands still is lost, not another daemon's, and taken again`()
        async throws
    {
        let database = try await server.emptyDatabase()
        var options = database.options
        options.deadline = .seconds(1)
        let states = Collected<PostgresClaim.State>()
        let claim = try PostgresClaim(options, clock: clock) { states.add($0) }
        let backend = try #require(pid_t(exactly: try await server.backends(of: database.name).first ?? 0))
        #expect(kill(backend, SIGSTOP) == 0)
        defer { kill(backend, SIGCONT) }
        try await wait(for: .lost, in: states)
        // The lock is asked for every two seconds.
        try await Task.sleep(for: .seconds(5))
        #expect(states.all == [.lost])
        #expect(throws: PostgresOpenError.self) { try self.claim(database) }
        kill(backend, SIGCONT)
        try await wait(for: .held, in: states)
        // On a busy machine the other claim, which gave up, may still get the lock for a moment.
        #expect(states.all.filter { $0 != .taken } == [.lost, .held])
        claim.close()
    }
}
