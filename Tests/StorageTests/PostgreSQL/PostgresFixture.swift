import Kernel
import PostgresServer

@testable import Storage

/// An empty PostgreSQL database of a test's own, with connections and units of work.
final class PostgresFixture: Sendable {
    let server: PostgresServer
    let test: TestPostgresDatabase
    let database: PostgresDatabase
    let unitOfWork: PostgresUnitOfWork
    /// The outcomes that the store's health would see.
    let outcomes = Collected<StoreError?>()

    /// `schema`: SQL that makes the tables.
    init(
        _ schema: String = "",
        poolSize: Int = 4,
        deadline: Duration = .seconds(20),
        on server: PostgresServer? = nil,
        metrics: StoreMetrics? = nil
    ) async throws {
        if let server { self.server = server } else { self.server = try await .shared }
        test = try await self.server.emptyDatabase()
        if !schema.isEmpty { try await test.run(schema) }
        let options = PostgresOptions(url: Secret(test.url), poolSize: poolSize, deadline: deadline)
        database = PostgresDatabase(options, environment: .real, metrics: metrics)
        unitOfWork = PostgresUnitOfWork(database) { [outcomes] in outcomes.add($0) }
    }

    // A lane without a connection tries to connect as long as the database is open.
    deinit { database.close() }

    /// Connects without the pool.
    func connect(deadline: Duration = .seconds(20)) throws -> PostgresConnection {
        try PostgresConnection(
            PostgresOptions(url: Secret(test.url), deadline: deadline),
            clock: Environment.real.clock
        )
    }

    /// Returns the first value of a statement that the superuser's tool prints.
    func value(_ sql: String) async throws -> String? { try await test.run(sql).first?.first ?? nil }

    /// Returns the process of the only connection of a pool of one.
    func backend() async throws -> Int {
        try await unitOfWork.run { transaction in
            try transaction.connection().count("SELECT pg_backend_pid() AS count")
        }
    }
}

extension Environment {
    /// Real time and randomness, for real sockets.
    static let real: Environment = {
        let clock = RealTime()
        return Environment(
            now: { TestDatabase.now },
            clock: clock,
            randomBytes: { count in (0..<count).map { _ in UInt8.random(in: 0...255) } }
        )
    }()
}

private struct RealTime: MonotonicClock {
    private let origin = ContinuousClock.now

    var now: Uptime { Uptime(nanoseconds: (ContinuousClock.now - origin).wholeNanoseconds) }

    func sleep(until deadline: Uptime) async throws {
        try await ContinuousClock().sleep(until: origin + .nanoseconds(deadline.nanoseconds))
    }
}
