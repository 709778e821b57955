import Foundation
import PostgresServer
import Testing

/// The server that tests of PostgreSQL run on.
struct PostgresServerTests {
    @Test func `databases are copies of one template, and each has its own rows`() async throws {
        let server = try await PostgresServer.shared
        let prepare: @Sendable (String) async throws -> Void = { _ in
            try await server.run(
                "CREATE TABLE letters (letter TEXT); INSERT INTO letters VALUES ('a')",
                in: "template_letters"
            )
        }
        let first = try await server.database(copying: "letters", prepare: prepare)
        let second = try await server.database(copying: "letters", prepare: prepare)
        try await first.run("INSERT INTO letters VALUES ('b')")
        #expect(try await first.run("SELECT letter FROM letters ORDER BY letter") == [["a"], ["b"]])
        #expect(try await second.run("SELECT letter FROM letters") == [["a"]])
    }

    @Test func `values come back as text, whatever is in them, and NULL as nil`() async throws {
        let database = try await PostgresServer.shared.emptyDatabase()
        let rows = try await database.run("SELECT 1, E'a\\n b|c', '', NULL; SELECT current_user")
        #expect(rows == [["1", "a\n b|c", "", nil], ["vestibule"]])
        await #expect(throws: PostgresServer.ServerError.self) { try await database.run("SELECT nonsense") }
    }

    @Test func `committed rows outlast a restart, an immediate stop and a kill`() async throws {
        // Without it the newest commits wait in the server's memory.
        let server = try await PostgresServer.start(PostgresServerOptions(more: ["synchronous_commit": "on"]))
        let database = try await server.emptyDatabase()
        try await database.run("CREATE TABLE letters (letter TEXT)")
        let ends: [@Sendable () async throws -> Void] = [
            { try await server.stop(.fast) }, { try await server.stop(.immediate) }, { try await server.kill() },
        ]
        for (number, end) in ends.enumerated() {
            try await database.run("INSERT INTO letters VALUES ('\(number)')")
            try await end()
            await #expect(throws: PostgresServer.ServerError.self) { try await database.run("SELECT 1") }
            try await server.start()
            #expect(try await database.run("SELECT count(*) FROM letters") == [["\(number + 1)"]])
        }
    }

    @Test func `a standby follows, and takes writes once it is promoted`() async throws {
        let server = try await PostgresServer.start()
        let database = try await server.emptyDatabase()
        let standby = try await server.standby()
        try await server.configure(["synchronous_standby_names": "standby", "synchronous_commit": "remote_apply"])
        try await database.run("CREATE TABLE letters (letter TEXT); INSERT INTO letters VALUES ('a')")
        #expect(try await standby.run("SELECT letter FROM letters", in: database.name) == [["a"]])
        try await server.kill()
        try await standby.promote()
        try await standby.run("INSERT INTO letters VALUES ('b')", in: database.name)
        #expect(try await standby.run("SELECT count(*) FROM letters", in: database.name) == [["2"]])
    }

    @Test func `a connection's process is stopped and continued by its id`() async throws {
        let server = try await PostgresServer.start()
        let database = try await server.emptyDatabase()
        let sleep = Task { try await database.run("SELECT pg_sleep(60)") }
        var found: [Int] = []
        for _ in 0..<400 where found.isEmpty {
            found = try await server.backends(of: database.name)
            try await Task.sleep(for: .milliseconds(25))
        }
        let process = try #require(found.first)
        try await server.signal("STOP", process: process)
        var status = ""
        for _ in 0..<400 {
            status = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            if status.contains(") T ") { break }
            try await Task.sleep(for: .milliseconds(25))
        }
        #expect(status.contains(") T "))
        try await server.signal("TERM", process: process)
        try await server.signal("CONT", process: process)
        let end = await sleep.result
        #expect(throws: PostgresServer.ServerError.self) { try end.get() }
    }

    @Test func `the server's folder and processes are gone after its owner`() async throws {
        let folder = try await PostgresServer.start().folder
        for _ in 0..<400 where FileManager.default.fileExists(atPath: folder) {
            try await Task.sleep(for: .milliseconds(25))
        }
        #expect(!FileManager.default.fileExists(atPath: folder))
    }
}
