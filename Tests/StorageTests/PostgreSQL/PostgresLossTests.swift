import Dispatch
import Kernel
import PostgresServer
import Testing

@testable import Storage

/// Connections that end or fall silent, and a server that is away.
struct PostgresLossTests {
    private static let schema = "CREATE TABLE events (number BIGINT PRIMARY KEY)"

    @Test func `a unit whose connection is killed before COMMIT is run again on another one`() async throws {
        let fixture = try await PostgresFixture(Self.schema, poolSize: 1)
        let runs = Collected<Int>()
        try await fixture.unitOfWork.run { transaction in
            let connection = try transaction.connection()
            let run = runs.add(0)
            try connection.change("INSERT INTO events VALUES (?)", [run.column])
            if run == 1 { _ = try connection.exists("SELECT pg_terminate_backend(pg_backend_pid())") }
            try connection.change("INSERT INTO events VALUES (?)", [(run + 10).column])
        }
        #expect(runs.count == 2)
        #expect(try await fixture.test.run("SELECT number FROM events ORDER BY 1") == [["2"], ["12"]])
    }

    @Test func `a connection that was killed while idle is replaced without an error`() async throws {
        let fixture = try await PostgresFixture(Self.schema, poolSize: 1)
        let process = try await fixture.backend()
        _ = try await fixture.value("SELECT pg_terminate_backend(\(process), 5000)")
        #expect(try await fixture.backend() != process)
        let second = try await fixture.backend()
        _ = try await fixture.value("SELECT pg_terminate_backend(\(second), 5000)")
        #expect(try await fixture.database.read { try $0.count("SELECT 7 AS count") } == 7)
        // Nor with one that only writes, whose first statement could go with its COMMIT.
        let third = try await fixture.backend()
        _ = try await fixture.value("SELECT pg_terminate_backend(\(third), 5000)")
        try await fixture.unitOfWork.run { try $0.connection().write("INSERT INTO events VALUES (1)") }
        #expect(try await fixture.value("SELECT COUNT(*) FROM events") == "1")
    }

    @Test func `a connection that ends during COMMIT leaves the outcome unknown, and nothing runs twice`() async throws
    {
        let fixture = try await PostgresFixture(
            """
            \(Self.schema);
            CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL;
            END $$;
            CREATE CONSTRAINT TRIGGER late AFTER INSERT ON events DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION die()
            """,
            poolSize: 1
        )
        let runs = Collected<Int>()
        await #expect {
            try await fixture.unitOfWork.run { transaction in
                runs.add(0)
                transaction.whenDurable { Issue.record("the outcome is unknown") }
                try transaction.connection().change("INSERT INTO events VALUES (1)")
            }
        } throws: { error in
            guard case .unavailable(let cause)? = error as? StoreError else { return false }
            return cause.contains("the outcome is unknown")
        }
        #expect(runs.count == 1)
        #expect(fixture.outcomes.count == 1)
        #expect(try await fixture.database.read { try $0.count("SELECT 7 AS count") } == 7)
    }

    @Test func `a stopped backend ends a unit at the deadline, and the next unit works`() async throws {
        // A server of its own: a backend that stays stopped would hold every other test's database.
        let server = try await PostgresServer.start()
        let fixture = try await PostgresFixture(Self.schema, poolSize: 1, deadline: .milliseconds(700), on: server)
        let process = try await fixture.backend()
        try await fixture.server.signal("STOP", process: process)
        // A unit that needs no statement sends nothing, and does not notice.
        #expect(try await fixture.unitOfWork.run { _ in 7 } == 7)
        let start = Environment.real.clock.now
        await #expect(
            throws: StoreError.unavailable(
                cause: "PostgreSQL did not answer within 700 ms, and the connection was closed"
            )
        ) {
            try await fixture.unitOfWork.run { transaction in
                try transaction.connection().change("INSERT INTO events VALUES (1)")
            }
        }
        #expect(Environment.real.clock.now - start >= .milliseconds(700))
        try await fixture.unitOfWork.run { transaction in
            _ = try transaction.connection().change("INSERT INTO events VALUES (2)")
        }
        try await fixture.server.signal("CONT", process: process)
        #expect(try await fixture.test.run("SELECT number FROM events") == [["2"]])
    }

    @Test func `a lock that is not given back in time ends the unit and keeps the connection`() async throws {
        let fixture = try await PostgresFixture(
            "\(Self.schema); INSERT INTO events VALUES (1)",
            poolSize: 1,
            deadline: .seconds(1)
        )
        let process = try await fixture.backend()
        let other = try fixture.connect()
        other.begin(.serializable)
        _ = try other.run("DELETE FROM events")
        await #expect {
            try await fixture.unitOfWork.run { transaction in
                try transaction.connection().change("DELETE FROM events")
            }
        } throws: { error in
            guard case .unavailable(let cause)? = error as? StoreError else { return false }
            return cause.contains("55P03")
        }
        #expect(fixture.outcomes.all == [nil], "that the row is locked is no outage")
        other.rollback()
        #expect(try await fixture.backend() == process)
    }

    @Test func `while the server is away units fail soon, and when it is back they work`() async throws {
        let server = try await PostgresServer.start()
        let fixture = try await PostgresFixture(Self.schema, poolSize: 2, on: server)
        _ = try await fixture.backend()
        try await server.stop()
        let start = Environment.real.clock.now
        for _ in 1...6 {
            let failure = await #expect(throws: StoreError.self) { _ = try await fixture.backend() }
            guard case .unavailable? = failure else {
                Issue.record("\(String(describing: failure))")
                continue
            }
        }
        #expect(Environment.real.clock.now - start < .seconds(20), "six units take less than the time of one")
        #expect(fixture.outcomes.all.contains { $0 != nil }, "the outage is told")
        try await server.start()
        var isBack = false
        for _ in 1...1000 where !isBack {
            isBack = (try? await fixture.backend()) != nil
            if !isBack { try await Task.sleep(for: .milliseconds(50)) }
        }
        #expect(isBack)
        fixture.database.close()
        try await server.stop()
    }

    @Test func `units on a standby are unavailable, and work once it is promoted`() async throws {
        let primary = try await PostgresServer.start()
        let fixture = try await PostgresFixture(Self.schema, poolSize: 1, on: primary)
        let standby = try await primary.standby()
        let options = PostgresOptions(url: Secret(standby.url(of: fixture.test.name)), poolSize: 1)
        let database = PostgresDatabase(options, environment: .real)
        let unitOfWork = PostgresUnitOfWork(database)
        let insert = {
            try await unitOfWork.run { transaction in
                _ = try transaction.connection().change("INSERT INTO events VALUES (1)")
            }
        }
        await #expect {
            try await insert()
        } throws: { error in
            if case .unavailable? = error as? StoreError { true } else { false }
        }
        #expect(try await database.read { try $0.count("SELECT COUNT(*) AS count FROM events") } == 0)
        try await standby.promote()
        try await insert()
        #expect(try await database.read { try $0.count("SELECT COUNT(*) AS count FROM events") } == 1)
        database.close()
        try await standby.stop()
    }

    @Test func `a database that does not exist fails at once`() async throws {
        let server = try await PostgresServer.shared
        let options = PostgresOptions(url: Secret(server.url(of: "nowhere")), poolSize: 2)
        let database = PostgresDatabase(options, environment: .real)
        await #expect {
            _ = try await database.read { try $0.count("SELECT 7 AS count") }
        } throws: { error in
            guard case .unavailable(let cause)? = error as? StoreError else { return false }
            return cause.contains("nowhere")
        }
        database.close()
    }

    @Test func `an outage that began before somebody asked for it is told at once`() async throws {
        let server = try await PostgresServer.shared
        let options = PostgresOptions(url: Secret(server.url(of: "nowhere")), poolSize: 1)
        let database = PostgresDatabase(options, environment: .real)
        await #expect(throws: StoreError.self) { _ = try await database.read { try $0.count("SELECT 7 AS count") } }
        let outages = Collected<StoreError>()
        database.pool.whenOut { outages.add($0) }
        #expect(outages.count == 1)
        database.close()
    }

    @Test func `a lane that was closed makes no connection`() async throws {
        let fixture = try await PostgresFixture()
        let lane = PostgresLane(0, options: PostgresOptions(url: Secret(fixture.test.url)), environment: .real)
        _ = try lane.connection()
        lane.close()
        #expect(throws: PostgresError.lost(cause: "the database is closed")) { _ = try lane.connection() }
        #expect(!lane.isConnected)
    }

    @Test func `a COMMIT may take longer than a statement where a limit of its own is given`() async throws {
        let fixture = try await PostgresFixture(
            """
            \(Self.schema);
            CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                PERFORM pg_sleep(1.5); RETURN NULL;
            END $$;
            CREATE CONSTRAINT TRIGGER late AFTER INSERT ON events DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION linger()
            """
        )
        let connection = try fixture.connect(deadline: .milliseconds(1000))
        try connection.script("SET statement_timeout = 0", within: .seconds(20))
        connection.begin(.migration)
        _ = try connection.run("INSERT INTO events VALUES (1)")
        #expect(try connection.commit(within: .seconds(60)))
        connection.begin(.migration)
        _ = try connection.run("INSERT INTO events VALUES (2)")
        #expect(throws: PostgresError.self) { try connection.commit() }
    }

    @Test func `a connection string that can't be read is refused without quoting it`() {
        let options = PostgresOptions(url: Secret("postgresql://user:hidden@[host/db?nonsense=1"))
        let failure = #expect(throws: PostgresError.self) {
            _ = try PostgresConnection(options, clock: Environment.real.clock)
        }
        guard case .refused(let cause)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(!cause.contains("hidden"))
    }

    @Test func `a password is sent, and a wrong one is refused without quoting it`() async throws {
        let fixture = try await PostgresFixture(Self.schema, poolSize: 1)
        var options = PostgresOptions(url: Secret(fixture.test.networkURL), password: Secret(PostgresServer.password))
        let connection = SQLConnection(try PostgresConnection(options, clock: Environment.real.clock))
        #expect(try connection.count("SELECT 7 AS count") == 7)
        options.password = Secret("hidden")
        let failure = #expect(throws: PostgresError.self) {
            _ = try PostgresConnection(options, clock: Environment.real.clock)
        }
        guard case .lost(let cause)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(cause.contains("password authentication failed"))
        #expect(!cause.contains("hidden"))
    }

    @Test func `more units than may wait are refused at once`() async throws {
        let fixture = try await PostgresFixture(Self.schema, poolSize: 1)
        let gate = DispatchSemaphore(value: 0)
        let started = Collected<Int>()
        let limit = fixture.database.pool.waitingLimit
        let failures = await withTaskGroup(of: StoreError?.self) { group in
            let addUnit = { (group: inout TaskGroup<StoreError?>) in
                group.addTask { [unitOfWork = fixture.unitOfWork] in
                    do {
                        try await unitOfWork.run { _ in
                            started.add(0)
                            gate.wait()
                        }
                        return nil
                    } catch { return error as? StoreError }
                }
            }
            addUnit(&group)
            for _ in 0..<6000 where started.count == 0 { try? await Task.sleep(for: .milliseconds(5)) }
            for _ in 0...limit { addUnit(&group) }
            // One runs and `limit` wait, so that one is refused while the first one still runs.
            let first = await group.next() ?? nil
            for _ in 0...limit { gate.signal() }
            return await group.reduce(into: [first]) { $0.append($1) }
        }
        let causes = failures.compactMap { $0?.cause }
        #expect(causes == ["\(limit) units wait for a connection to PostgreSQL"])
    }

    @Test func `closing finishes all that was accepted, and refuses what comes later`() async throws {
        let fixture = try await PostgresFixture(Self.schema, poolSize: 1)
        _ = try await fixture.backend()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...10 {
                // Runs until the unit is accepted, before the next one is added.
                group.addImmediateTask {
                    try await fixture.unitOfWork.run { transaction in
                        let connection = try transaction.connection()
                        try connection.change("INSERT INTO events VALUES (?)", [number.column])
                        _ = try connection.exists("SELECT pg_sleep(0.02)")
                    }
                }
            }
            fixture.database.close()
            try await group.waitForAll()
        }
        #expect(try await fixture.value("SELECT COUNT(*) FROM events") == "10")
        await #expect(throws: StoreError.unavailable(cause: "the database is closed")) {
            try await fixture.unitOfWork.run { _ in }
        }
        fixture.database.close()
    }
}
