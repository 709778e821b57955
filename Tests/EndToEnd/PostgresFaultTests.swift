import Fuzzing
import Outbound
import PostgresServer
import Testing

extension EndToEnd {
    /// A daemon under load, whose PostgreSQL server fails in one way after the other.
    ///
    /// One after the other, because each has a server of its own.
    @Suite(.serialized) struct PostgresFaults {
        /// What happens to the server.
        enum Fault: String, CaseIterable, CustomTestStringConvertible {
            /// A connection's process is killed: the server ends every connection and recovers from its log.
            case killedProcess
            /// An administrator ends a connection.
            case endedConnection
            /// A connection's process stands still, as on a hanging disk, and goes on.
            case standingProcess
            case fastRestart, immediateRestart
            /// The server and all its processes are killed at once.
            case killedServer

            var testDescription: String { rawValue }
        }

        private static let rounds = TestSize.isLong ? 20 : 1
        private static let faults: [Fault] =
            TestSize.isLong ? Fault.allCases : [.standingProcess]
        private static let person = "accept+50ms@example.com"
        private static let settings = [
            "limits.off=true", "faceLogin.approvalWindow=600s", "faceLogin.redemptionWindow=600s",
            "storage.postgres.deadline=3s", "storage.postgres.poolSize=4",
        ]
        /// The server's processes end and its files stay; only a power cut would need more.
        private static let options = PostgresServerOptions(more: ["synchronous_commit": "on"])

        @Test(arguments: faults)
        func `under load, whatever happens to the server, no login is lost and none granted twice`(
            _ fault: Fault
        ) async throws {
            let server = try await PostgresServer.start(Self.options)
            let database = try await server.emptyDatabase()
            try await Self.migrate(["storage.postgres.url=\(database.url)"])
            try await play(["storage.postgres.url=\(database.url)"]) { ledger in
                for round in 1...Self.rounds {
                    try await Self.logins(ledger, round * 12)
                    try await Task.sleep(for: .milliseconds(Int.random(in: 0...300)))
                    try await Self.commit(fault, on: server, database.name)
                }
            } reading: {
                try await database.run($0)
            }
            try await server.stop(.immediate)
        }

        @Test func `after a failover to a synchronous standby nothing acknowledged is lost`() async throws {
            let primary = try await PostgresServer.start(Self.options)
            let database = try await primary.emptyDatabase()
            try await TestFolder.use { folder in
                let password = try folder.write("password", PostgresServer.password)
                let access = ["storage.postgres.password=file:\(password)"]
                try await Self.migrate(["storage.postgres.url=\(database.networkURL)"] + access)
                let standby = try await primary.standby(Self.options)
                try await primary.configure(["synchronous_standby_names": "standby"])
                try await eventually("the standby") {
                    let state = try await primary.run(
                        "SELECT sync_state FROM pg_stat_replication",
                        in: PostgresServer.superuser,
                        as: PostgresServer.superuser
                    )
                    return state == [["sync"]]
                }
                let hosts = "127.0.0.1:\(primary.port),127.0.0.1:\(standby.port)"
                let url = "postgres://\(PostgresServer.owner)@\(hosts)/\(database.name)"
                try await play(["storage.postgres.url=\(url)"] + access) { ledger in
                    try await Self.logins(ledger, 24)
                    try await primary.kill()
                    try await standby.promote()
                    try await Self.logins(ledger, 36)
                } reading: {
                    try await standby.run($0, in: database.name)
                }
                try await standby.stop(.immediate)
            }
        }

        /// Runs a daemon with logins without a pause, disturbs it, and compares what the clients were told with the rows.
        private func play(
            _ settings: [String],
            disturb: @escaping @Sendable (Ledger) async throws -> Void,
            reading rows: @escaping @Sendable (String) async throws -> [[String?]]
        ) async throws {
            try await Fixture.run(Self.settings + settings, people: [Self.person]) { fixture in
                let ledger = Ledger(allowsUnavailable: true)
                let load = Load(fixture.app, email: Self.person, ledger: ledger)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { await load.run(workers: 4) }
                    defer { load.stop() }
                    try await disturb(ledger)
                    load.stop()
                    try await group.waitForAll()
                }
                try await eventually("a daemon that is ready again") {
                    let reply = try await fixture.web.send(.get, "\(fixture.daemon.url)/readyz")
                    return reply.status == 200
                }
                try await ledger.finish(with: fixture.app)
                try await ledger.verify { sql in try await rows(sql).compactMap { $0.first ?? nil } }
                try await fixture.daemon.order(["audit", "verify"])
                #expect(try await fixture.daemon.stop() == .exited(0))
            }
        }

        private static func commit(_ fault: Fault, on server: PostgresServer, _ database: String) async throws {
            switch fault {
            case .fastRestart: try await server.restart(.fast)
            case .immediateRestart: try await server.restart(.immediate)
            case .killedServer:
                try await server.kill()
                try await server.start()
            case .killedProcess: try await disturb(server, database, by: "KILL")
            case .endedConnection: try await disturb(server, database, by: "TERM")
            case .standingProcess:
                let process = try await disturb(server, database, by: "STOP")
                try await Task.sleep(for: .seconds(5))
                try await server.signal("CONT", process: process)
            }
        }

        /// Sends a signal to the process of one of the daemon's connections.
        @discardableResult
        private static func disturb(
            _ server: PostgresServer,
            _ database: String,
            by signal: String
        ) async throws -> Int {
            // After a crash there is none for a while, and each may end at any moment.
            try await eventually("a connection of the daemon") {
                guard let process = try? await server.backends(of: database).randomElement() else { return nil }
                do { try await server.signal(signal, process: process) } catch { return nil }
                return process
            }
        }

        /// Waits until so many logins were begun.
        private static func logins(_ ledger: Ledger, _ count: Int) async throws {
            try await eventually("\(count) logins") { ledger.entries.count >= count }
        }

        private static func migrate(_ settings: [String]) async throws {
            try await TestFolder.use { folder in
                let place = ["--data", folder["migrating"]] + settings.flatMap { ["--set", $0] }
                let run = try await CommandRun.run(Programs.daemon, ["migrate"] + place)
                guard run.code == 0 else { throw ExpectationError("\(run)") }
            }
        }
    }
}
