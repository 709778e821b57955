import Audit
import Kernel
import PostgresServer
import Testing

@testable import Storage

/// What is read before a database is used: whose keys it belongs to.
struct PostgresKeyMarkTests {
    private let server: PostgresServer
    private let clock = Environment.tests.clock

    init() async throws { server = try await PostgresServer.shared }

    @Test func `an empty database has no mark, no rows and no audit, and asking changes nothing`() async throws {
        let database = try await server.emptyDatabase()
        #expect(try PostgresDatabase.keyMark(database.options, clock: clock) == nil)
        #expect(try !PostgresDatabase.holdsRows(database.options, clock: clock))
        #expect(try PostgresDatabase.newestAudit(database.options, of: "local", limit: 9, clock: clock).isEmpty)
        let objects = "SELECT 1 FROM pg_class WHERE relnamespace = 'public'::regnamespace"
        #expect(try await database.run(objects).isEmpty)
    }

    // A later start with another server's keys must not make them the database's own.
    // T-215
    @Test func `the mark of the keys is taken once`() async throws {
        let database = try await server.migratedDatabase()
        let ours = try #require(Digest256(Array(repeating: UInt8(1), count: 32)))
        let foreign = try #require(Digest256(Array(repeating: UInt8(2), count: 32)))
        #expect(try PostgresDatabase.keyMark(database.options, clock: clock) == nil)
        for mark in [ours, foreign] {
            let stored = try PostgresDatabase.keep(keyMark: mark, in: database.options, environment: .tests)
            #expect(stored == ours)
        }
        #expect(try PostgresDatabase.keyMark(database.options, clock: clock) == ours)
    }

    @Test func `a database holds rows once an account or an audit row is in it`() async throws {
        let database = try await server.migratedDatabase()
        #expect(try !PostgresDatabase.holdsRows(database.options, clock: clock))
        try await database.run(
            "INSERT INTO accounts (id, display_name, state, created_at) VALUES ('a', 'A', 'active', 0)"
        )
        #expect(try PostgresDatabase.holdsRows(database.options, clock: clock))
        try await database.run("DELETE FROM accounts")
        #expect(try !PostgresDatabase.holdsRows(database.options, clock: clock))
        try await insertAudit(1, into: database)
        #expect(try PostgresDatabase.holdsRows(database.options, clock: clock))
    }

    @Test func `the last rows of a node's audit are read`() async throws {
        let database = try await server.migratedDatabase()
        for number in 1...3 { try await insertAudit(number, into: database) }
        let newest = { (node: String) in
            try PostgresDatabase.newestAudit(database.options, of: node, limit: 2, clock: self.clock).map(\.number)
        }
        #expect(try newest("local") == [3, 2])
        #expect(try newest("other").isEmpty)
    }

    // T-215
    @Test func `attack: an unreachable database, and one of something else, are errors and not missing marks`()
        async throws
    {
        let unreachable = PostgresOptions(url: Secret("postgres://127.0.0.1:1/people"))
        let foreign = try await server.emptyDatabase()
        try await foreign.run("CREATE TABLE notes (text TEXT)")
        for options in [unreachable, foreign.options] {
            #expect(throws: PostgresOpenError.self) { try PostgresDatabase.keyMark(options, clock: clock) }
            #expect(throws: PostgresOpenError.self) { try PostgresDatabase.holdsRows(options, clock: clock) }
            #expect(throws: PostgresOpenError.self) {
                try PostgresDatabase.newestAudit(options, of: "local", limit: 9, clock: clock)
            }
        }
    }

    @Test func `an opened database runs units of work`() async throws {
        let database = try await server.migratedDatabase()
        let opened = try PostgresDatabase.open(database.options, migrating: false, environment: .tests)
        #expect(opened.applied.isEmpty)
        let count = try await opened.database.read { try $0.count("SELECT COUNT(*) AS count FROM accounts") }
        #expect(count == 0)
        opened.database.close()
    }

    private func insertAudit(_ number: Int, into database: TestPostgresDatabase) async throws {
        let hash = "decode(repeat('00', 32), 'hex')"
        try await database.run(
            """
            INSERT INTO audit (node, number, at, fact, subject, prev_hash, hash)
            VALUES ('local', \(number), 0, 'f', 's', \(hash), \(hash))
            """
        )
    }
}
