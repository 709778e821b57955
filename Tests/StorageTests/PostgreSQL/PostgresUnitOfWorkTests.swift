import Glibc
import Kernel
import PostgresServer
import Testing

@testable import Storage

/// Units of work on a real server: what one of them stores, and what others see of it.
struct PostgresUnitOfWorkTests {
    private struct BodyError: Error, Equatable {}

    private static let schema = """
        CREATE TABLE counters (name TEXT COLLATE "C" PRIMARY KEY, value BIGINT NOT NULL CHECK (value < 1000000));
        INSERT INTO counters VALUES ('a', 0), ('b', 0);
        CREATE SEQUENCE tries
        """

    private let fixture: PostgresFixture
    private var unitOfWork: PostgresUnitOfWork { fixture.unitOfWork }

    init() async throws { fixture = try await PostgresFixture(Self.schema, poolSize: 8) }

    @Test func `parallel units that increment one row lose nothing`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...200 {
                group.addTask {
                    try await unitOfWork.run { transaction in
                        let connection = try transaction.connection()
                        let value = try connection.count("SELECT value AS count FROM counters WHERE name = 'a'")
                        try connection.change("UPDATE counters SET value = ? WHERE name = 'a'", [(value + 1).column])
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await fixture.value("SELECT value FROM counters WHERE name = 'a'") == "200")
    }

    @Test func `of two units that each read the other's row, the second sees the first`() async throws {
        let runs = Collected<String>()
        let total = try await withThrowingTaskGroup(of: Void.self) { group in
            for name in ["a", "b"] {
                group.addTask { [unitOfWork] in
                    try await unitOfWork.run { transaction in
                        let connection = try transaction.connection()
                        let sum = try connection.count("SELECT CAST(SUM(value) AS BIGINT) AS count FROM counters")
                        // Both have read before either writes.
                        runs.add(name)
                        for _ in 0..<20_000 where runs.count < 2 { usleep(1000) }
                        guard sum == 0 else { return }
                        try connection.change("UPDATE counters SET value = 1 WHERE name = ?", [.text(name)])
                    }
                }
            }
            try await group.waitForAll()
            return try await fixture.value("SELECT SUM(value) FROM counters")
        }
        #expect(total == "1")
        #expect(runs.count == 3, "one of the two was run again")
    }

    @Test func `an error of the body is thrown as it is, and undoes the unit`() async throws {
        await #expect(throws: BodyError()) {
            try await unitOfWork.run { transaction in
                try transaction.connection().change("UPDATE counters SET value = 5")
                throw BodyError()
            }
        }
        #expect(try await fixture.value("SELECT SUM(value) FROM counters") == "0")
        #expect(fixture.outcomes.all.isEmpty, "the database did what it was asked")
    }

    @Test func `a body that ignores the error of a statement stores nothing`() async throws {
        await #expect {
            try await unitOfWork.run { transaction in
                let connection = try transaction.connection()
                try connection.change("UPDATE counters SET value = 5 WHERE name = 'a'")
                _ = try? connection.change("UPDATE counters SET value = 2000000 WHERE name = 'b'")
                _ = try? connection.change("UPDATE counters SET value = 6 WHERE name = 'b'")
            }
        } throws: { error in
            guard case .conflict(let cause)? = error as? StoreError else { return false }
            return cause.contains("23514") && cause.contains("counters_value_check")
        }
        #expect(try await fixture.value("SELECT SUM(value) FROM counters") == "0")
    }

    @Test func `the error of a constraint holds no values of the row`() async throws {
        await #expect {
            try await unitOfWork.run { transaction in
                try transaction.connection().change("INSERT INTO counters VALUES (?, 77)", [.text("a")])
            }
        } throws: { error in
            guard case .conflict(let cause)? = error as? StoreError else { return false }
            return cause.contains("counters_pkey") && !cause.contains("77") && !cause.contains("(a)")
        }
    }

    @Test func `a unit whose text has U+0000 is refused, and nothing of it is stored`() async throws {
        await #expect(throws: StoreError.conflict(cause: "a text contains U+0000, which PostgreSQL can't hold")) {
            try await unitOfWork.run { transaction in
                let connection = try transaction.connection()
                try connection.change("UPDATE counters SET value = 5")
                _ = try? connection.change("INSERT INTO counters VALUES (?, 1)", [.text("x\0")])
            }
        }
        #expect(try await fixture.value("SELECT SUM(value) FROM counters") == "0")
    }

    @Test func `a unit is run again after a serialization failure, also at COMMIT, and only its last run counts`()
        async throws
    {
        try await fixture.test.run(
            """
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF nextval('tries') < 5 THEN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END IF;
                RETURN NULL;
            END $$;
            CREATE CONSTRAINT TRIGGER late AFTER UPDATE ON counters DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION refuse()
            """
        )
        let (runs, effects) = (Collected<Int>(), Collected<Int>())
        let result = try await unitOfWork.run { transaction in
            let run = runs.add(0)
            transaction.whenDurable { effects.add(run) }
            try transaction.connection().change("UPDATE counters SET value = value + 1 WHERE name = 'a'")
            return run
        }
        #expect(result == 5)
        #expect(runs.count == 5)
        #expect(effects.all == [5], "the effects of earlier runs are dropped")
        #expect(try await fixture.value("SELECT value FROM counters WHERE name = 'a'") == "1")
        #expect(fixture.outcomes.all == [nil])
    }

    @Test func `a write goes with the next statement or with the commit, in its place`() async throws {
        let connection = try fixture.connect()
        connection.begin(.serializable)
        try connection.write("UPDATE counters SET value = 1 WHERE name = 'a'")
        // PostgreSQL refuses this one, but has not seen it yet.
        try connection.write("UPDATE counters SET value = 2000000 WHERE name = 'a'")
        #expect(connection.failure == nil)
        #expect(throws: PostgresError.self) { try connection.run("SELECT 1 AS one") }
        connection.rollback()

        connection.begin(.serializable)
        var expected = 0
        for value in 1...100 {
            try connection.write("UPDATE counters SET value = (value * 2 + ?) % 1000 WHERE name = 'a'", [value.column])
            expected = (expected * 2 + value) % 1000
            guard value == 50 else { continue }
            let seen = try connection.run("SELECT 1 AS one FROM counters WHERE value = ?", [expected.column])
            #expect(seen.rowCount == 1, "what was written before is seen")
        }
        #expect(try connection.commit())
        #expect(try await fixture.value("SELECT value FROM counters WHERE name = 'a'") == "\(expected)")
    }

    @Test func `a write that fails with the commit undoes the unit, and the connection goes on`() async throws {
        let fixture = try await PostgresFixture(Self.schema, poolSize: 1)
        await #expect {
            try await fixture.unitOfWork.run { transaction in
                let connection = try transaction.connection()
                try connection.change("UPDATE counters SET value = 5 WHERE name = 'a'")
                try connection.write("UPDATE counters SET value = 2000000 WHERE name = 'b'")
            }
        } throws: { error in
            guard case .conflict(let cause)? = error as? StoreError else { return false }
            return cause.contains("counters_value_check")
        }
        #expect(try await fixture.value("SELECT SUM(value) FROM counters") == "0")
        let process = try await fixture.backend()
        try await fixture.unitOfWork.run { transaction in
            try transaction.connection().write("UPDATE counters SET value = 7 WHERE name = 'a'")
        }
        #expect(try await fixture.value("SELECT SUM(value) FROM counters") == "7")
        #expect(try await fixture.backend() == process)
    }

    @Test func `attack: a write in a read is refused before the caller has its answer`() async throws {
        await #expect(throws: StoreError.self) {
            try await unitOfWork.read { transaction in
                try transaction.connection().write("UPDATE counters SET value = 7 WHERE name = 'a'")
            }
        }
        #expect(try await fixture.value("SELECT SUM(value) FROM counters") == "0")
    }

    @Test func `a unit that always fails is unavailable after ten runs`() async throws {
        let runs = Collected<Int>()
        await #expect {
            try await unitOfWork.run { transaction in
                runs.add(0)
                transaction.whenDurable { Issue.record("the unit never became durable") }
                try transaction.connection().change("DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '40P01'; END $$")
            }
        } throws: { error in
            guard case .unavailable(let cause)? = error as? StoreError else { return false }
            return cause.contains("the last of 10 tries") && cause.contains("40P01")
        }
        #expect(runs.count == 10)
        #expect(fixture.outcomes.all.isEmpty, "the database can do its work")
    }

    @Test func `a unit that the server refuses on its connection is run again on another one, once`() async throws {
        let fixture = try await PostgresFixture(poolSize: 1)
        let processes = Collected<Int>()
        let refused = { (times: Int) in
            try await fixture.unitOfWork.run { transaction in
                let connection = try transaction.connection()
                let run = processes.add(try connection.count("SELECT pg_backend_pid() AS count"))
                guard run <= times else { return }
                do {
                    try connection.change("DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '0A000'; END $$")
                } catch { throw BodyError() }
            }
        }
        try await refused(1)
        #expect(Set(processes.all).count == 2 && processes.count == 2)
        await #expect(throws: StoreError.unavailable(cause: "PostgreSQL 0A000 (x)")) { try await refused(.max) }
        #expect(processes.count == 4)
    }

    @Test func `a body that turns a serialization failure into an error of its own is run again`() async throws {
        let runs = Collected<Int>()
        try await unitOfWork.run { transaction in
            guard runs.add(0) == 1 else { return }
            let connection = try transaction.connection()
            do {
                try connection.change("DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '40001'; END $$")
            } catch { throw BodyError() }
        }
        #expect(runs.count == 2)
    }

    @Test func `units that insert the same key at the same time end as one row`() async throws {
        let added = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 1...30 {
                group.addTask {
                    try await unitOfWork.run { transaction in
                        let connection = try transaction.connection()
                        guard try !connection.exists("SELECT 1 FROM counters WHERE name = 'new'") else { return false }
                        return try connection.change("INSERT INTO counters VALUES ('new', 1)") == 1
                    }
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(added == 1)
    }

    @Test func `a read sees one moment, and its write throws`() async throws {
        await #expect {
            try await unitOfWork.read { transaction in
                try transaction.connection().change("UPDATE counters SET value = 9")
            }
        } throws: { error in
            guard case .conflict(let cause)? = error as? StoreError else { return false }
            return cause.contains("25006")
        }
        let values = try await fixture.database.read { [fixture] connection in
            let first = try connection.count("SELECT value AS count FROM counters WHERE name = 'a'")
            let other = SQLConnection(try fixture.connect())
            try other.change("UPDATE counters SET value = 9 WHERE name = 'a'")
            return [first, try connection.count("SELECT value AS count FROM counters WHERE name = 'a'")]
        }
        #expect(values == [0, 0])
        #expect(try await fixture.value("SELECT value FROM counters WHERE name = 'a'") == "9")
    }

    @Test func `units run on all lanes, each on one connection`() async throws {
        let (begun, pairs) = (Collected<Int>(), Collected<[Int]>())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...40 {
                group.addTask {
                    try await unitOfWork.run { transaction in
                        // Eight units at the same time, each of which waits for the others.
                        let number = begun.add(transaction.lane)
                        for _ in 1...15_000 where number <= 8 && begun.count < 8 { usleep(1000) }
                        let connection = try transaction.connection()
                        pairs.add([transaction.lane, try connection.count("SELECT pg_backend_pid() AS count")])
                    }
                }
            }
            try await group.waitForAll()
        }
        let lanes = Set(pairs.all)
        #expect(lanes.map { $0[0] }.sorted() == Array(0..<8))
        #expect(Set(lanes.map { $0[1] }).count == 8)
    }

    @Test func `the store is durable when its schema is there`() async throws {
        await #expect(throws: StoreError.self) { try await unitOfWork.checkDurable() }
        try await fixture.test.run(
            "CREATE TABLE schema_migrations (version BIGINT PRIMARY KEY); INSERT INTO schema_migrations VALUES (1)"
        )
        try await unitOfWork.checkDurable()
    }

    @Test func `the session has the settings of this program`() throws {
        let connection = SQLConnection(try fixture.connect(deadline: .seconds(10)))
        let settings = try connection.all(
            """
            SELECT name, setting FROM pg_settings WHERE name IN ('enable_seqscan', 'lock_timeout', 'statement_timeout',
                'idle_in_transaction_session_timeout', 'client_connection_check_interval', 'TimeZone',
                'client_encoding', 'application_name', 'jit') ORDER BY name COLLATE "C"
            """
        ) { [try $0.text("name"), try $0.text("setting")] }
        #expect(
            settings == [
                ["TimeZone", "UTC"], ["application_name", "vestibule"], ["client_connection_check_interval", "1000"],
                ["client_encoding", "UTF8"], ["enable_seqscan", "off"],
                ["idle_in_transaction_session_timeout", "20000"], ["jit", "off"],
                ["lock_timeout", "5000"], ["statement_timeout", "9000"],
            ]
        )
    }
}
