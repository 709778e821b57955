import Kernel
import PostgresServer

@testable import Storage

extension TestPostgresDatabase {
    /// The options with which its owner opens it over the Unix socket.
    var options: PostgresOptions { PostgresOptions(url: Secret(url), poolSize: 2) }

    /// Returns the reason why it is refused, or `nil` if it is opened.
    func refusal(
        migrating: Bool = false,
        with migrator: Migrator = Migrator(),
        as user: String = PostgresServer.owner
    ) -> PostgresOpenError.Reason? {
        let url = Secret(server.url(of: name, as: user))
        return PostgresOptions(url: url).refusal(migrating: migrating, with: migrator)
    }

    /// Runs every migration, as `vestibule migrate` does.
    func migrate() throws { _ = try PostgresDatabase.migrate(options, environment: .tests) }
}

extension PostgresOptions {
    func refusal(migrating: Bool = false, with migrator: Migrator = Migrator()) -> PostgresOpenError.Reason? {
        error(migrating: migrating, with: migrator)?.reason
    }

    /// Returns the error of opening the database, or `nil`.
    func error(migrating: Bool = false, with migrator: Migrator = Migrator()) -> PostgresOpenError? {
        do throws(PostgresOpenError) {
            let opening = PostgresOpening(options: self, clock: Environment.tests.clock, migrator: migrator)
            _ = try opening.prepare(migrating: migrating, at: TestDatabase.now)
            return nil
        } catch { return error }
    }
}

extension PostgresServer {
    /// A database that every migration was run on.
    func migratedDatabase() async throws -> TestPostgresDatabase {
        try await database(copying: "migrated") { url in
            _ = try PostgresDatabase.migrate(PostgresOptions(url: Secret(url)), environment: .tests)
        }
    }
}

extension Environment {
    /// The real clock for waits, and a fixed time of day.
    static let tests = Environment(now: { TestDatabase.now }, clock: RunningClock()) { count in
        (0..<count).map { _ in UInt8.random(in: 0...255) }
    }
}

private struct RunningClock: MonotonicClock {
    private static let start = ContinuousClock.now

    var now: Uptime { Uptime(nanoseconds: Self.start.duration(to: .now).wholeNanoseconds) }

    func sleep(until deadline: Uptime) async throws {
        try await Task.sleep(until: Self.start.advanced(by: .nanoseconds(deadline.nanoseconds)), clock: .continuous)
    }
}
