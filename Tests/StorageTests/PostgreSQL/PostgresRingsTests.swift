import Dispatch
import Kernel
import PostgresServer
import Testing

@testable import Storage

/// The rings of signing keys in a database that several daemons share.
struct PostgresRingsTests {
    private struct BodyError: Error {}

    private func rings(_ database: TestPostgresDatabase) -> PostgresRings {
        var options = database.options
        options.deadline = .seconds(20)
        return PostgresRings(options, clock: Environment.tests.clock, deadline: .seconds(20))
    }

    private func rows(_ database: TestPostgresDatabase) async throws -> [[String?]] {
        try await database.run("SELECT name, version, convert_from(content, 'UTF8') FROM key_rings ORDER BY name")
    }

    /// Writes a ring on a thread of its own.
    private func write(_ content: String, to rings: PostgresRings) async throws {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try rings.change("signing") { _ in Array(content.utf8) } })
            }
        }
    }

    @Test func `a ring is written, read and changed, and each ring has its own row`() async throws {
        let database = try await PostgresServer.shared.migratedDatabase()
        let rings = rings(database)
        try rings.change("signing") { stored in
            #expect(stored == nil)
            return Array("one".utf8)
        }
        try rings.change("signing") { stored in
            #expect(stored == Array("one".utf8))
            return nil
        }
        #expect(try await rows(database) == [["signing", "1", "one"]])
        try rings.change("signing") { _ in Array("two".utf8) }
        try rings.change("identity") { stored in
            #expect(stored == nil)
            return Array("other".utf8)
        }
        #expect(try await rows(database) == [["identity", "1", "other"], ["signing", "2", "two"]])
    }

    // T-266
    @Test func `a first ring that another daemon has written in the same moment is not replaced`() async throws {
        let database = try await PostgresServer.shared.migratedDatabase()
        let rings = rings(database)
        var seen: [[UInt8]?] = []
        try rings.change("signing") { stored in
            seen.append(stored)
            if seen.count == 1 { try rings.change("signing") { _ in Array("theirs".utf8) } }
            return stored == nil ? Array("ours".utf8) : nil
        }
        #expect(seen == [nil, Array("theirs".utf8)])
        #expect(try await rows(database) == [["signing", "1", "theirs"]])
    }

    // T-266
    @Test func `a change that another daemon was faster with is made again from what that one left`() async throws {
        let database = try await PostgresServer.shared.migratedDatabase()
        let rings = rings(database)
        try await write("a", to: rings)
        var seen: [[UInt8]?] = []
        try rings.change("signing") { stored in
            seen.append(stored)
            if seen.count == 1 { try rings.change("signing") { ($0 ?? []) + Array("b".utf8) } }
            return (stored ?? []) + Array("c".utf8)
        }
        #expect(seen == [Array("a".utf8), Array("ab".utf8)])
        #expect(try await rows(database) == [["signing", "3", "abc"]])
    }

    // T-266
    @Test func `no change of three daemons that change a ring at the same time is lost`() async throws {
        let database = try await PostgresServer.shared.migratedDatabase()
        let rings = rings(database)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    for _ in 0..<5 { try rings.change("signing") { stored in (stored ?? []) + Array("x".utf8) } }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await rows(database) == [["signing", "15", String(repeating: "x", count: 15)]])
    }

    @Test func `an error of the change is thrown as it is, and nothing is written`() async throws {
        let database = try await PostgresServer.shared.migratedDatabase()
        let rings = rings(database)
        #expect(throws: BodyError.self) { try rings.change("signing") { _ in throw BodyError() } }
        #expect(try await rows(database).isEmpty)
    }

    @Test func `a database that can't be used is an error that says why`() async throws {
        let options = PostgresOptions(url: Secret(try await PostgresServer.shared.url(of: "missing")))
        let rings = PostgresRings(options, clock: Environment.tests.clock)
        #expect {
            try rings.change("signing") { _ in
                Issue.record("nothing was read")
                return nil
            }
        } throws: { error in
            guard case .unavailable(let cause)? = error as? StoreError else { return false }
            return cause.contains("missing") && cause.contains("does not exist")
        }
    }

    // T-266
    @Test func `a change whose COMMIT ends with its connection is an error, and is not made`() async throws {
        let database = try await PostgresServer.shared.migratedDatabase()
        let rings = rings(database)
        try await write("one", to: rings)
        try await database.run(
            """
            CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL;
            END $$;
            CREATE CONSTRAINT TRIGGER late AFTER UPDATE ON key_rings DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION die()
            """
        )
        #expect {
            try rings.change("signing") { _ in Array("two".utf8) }
        } throws: { error in
            guard case .unavailable(let cause)? = error as? StoreError else { return false }
            return cause.contains("the outcome is unknown")
        }
        #expect(try await rows(database) == [["signing", "1", "one"]])
    }

    // T-266
    @Test func `a change is made whose answer to COMMIT was lost, if the row has it`() async throws {
        // A server of its own, which waits at each COMMIT for a standby that there is not.
        let server = try await PostgresServer.start()
        let database = try await server.migratedDatabase()
        try await server.configure(["synchronous_standby_names": "nobody", "synchronous_commit": "on"])
        async let change: Void = write("one", to: rings(database))
        var ended: [[String?]] = []
        for _ in 0..<400 where ended.isEmpty {
            ended = try await database.run(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND datname = current_database()"
            )
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(!ended.isEmpty)
        try await change
        #expect(try await rows(database) == [["signing", "1", "one"]])
        // So that the database can be dropped.
        try await server.configure(["synchronous_standby_names": ""])
    }
}
