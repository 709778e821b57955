import Fuzzing
import PostgresServer
import Testing

extension EndToEnd {
    /// A daemon under load, whose PostgreSQL server fails in one way after the other.
    @Suite struct PostgresFaults {
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

        private static let rounds = TestSize.isLong ? 20 : 2
        private static let person = "accept+50ms@example.com"
        private static let settings = [
            "limits.off=true", "faceLogin.approvalWindow=600s", "faceLogin.redemptionWindow=600s",
            "storage.postgres.deadline=1s", "storage.postgres.poolSize=4",
        ]
        /// The server's processes end and its files stay; only a power cut would need more.
        private static let options = PostgresServerOptions(more: ["synchronous_commit": "on"])

        @Test(arguments: Fault.allCases)
        func `under load, whatever happens to the server, no login is lost and none granted twice`(
            _ fault: Fault
        ) async throws {
            let server = try await PostgresServer.start(Self.options)
            let database = try await server.emptyDatabase()
            try await Self.migrate(["storage.postgres.url=\(database.url)"])
            try await play(["storage.postgres.url=\(database.url)"]) {
                for _ in 0..<Self.rounds {
                    try await Task.sleep(for: .milliseconds(Int.random(in: 200...600)))
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
                    return state == [["sync"]] ? true : nil
                }
                let hosts = "127.0.0.1:\(primary.port),127.0.0.1:\(standby.port)"
                let url = "postgres://\(PostgresServer.owner)@\(hosts)/\(database.name)"
                try await play(["storage.postgres.url=\(url)"] + access) {
                    try await Task.sleep(for: .milliseconds(1500))
                    try await primary.kill()
                    try await standby.promote()
                    try await Task.sleep(for: .milliseconds(500))
                } reading: {
                    try await standby.run($0, in: database.name)
                }
                try await standby.stop(.immediate)
            }
        }

        /// Runs a daemon with logins without a pause, disturbs it, and compares what the clients were told with the rows.
        private func play(
            _ settings: [String],
            disturb: @escaping @Sendable () async throws -> Void,
            reading rows: @escaping @Sendable (String) async throws -> [[String?]]
        ) async throws {
            try await Fixture.run(Self.settings + settings, people: [Self.person]) { fixture in
                let ledger = Ledger(allowsUnavailable: true)
                let load = Load(fixture.app, email: Self.person, ledger: ledger)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { await load.run(workers: 4) }
                    defer { load.stop() }
                    try await disturb()
                    load.stop()
                    try await group.waitForAll()
                }
                try await eventually("a daemon that is ready again") {
                    let reply = try await fixture.web.send(.get, "\(fixture.daemon.url)/readyz")
                    return reply.status == 200 ? true : nil
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
            case .killedProcess, .endedConnection, .standingProcess:
                guard let process = try await server.backends(of: database).randomElement() else { return }
                switch fault {
                case .killedProcess: try await server.signal("KILL", process: process)
                case .endedConnection: try await server.signal("TERM", process: process)
                default:
                    try await server.signal("STOP", process: process)
                    try await Task.sleep(for: .seconds(3))
                    try await server.signal("CONT", process: process)
                }
            }
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
