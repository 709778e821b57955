import Foundation
import Outbound
import PostgresServer
import Testing

extension EndToEnd {
    /// A daemon and its commands on a PostgreSQL server that the tests start.
    @Suite struct Postgres {
        private static let unusableDatabase: Int32 = 74

        private struct Finding: Decodable {
            let check: String
            let level: String
        }

        private static func option(_ url: String) -> [String] { ["--set", "storage.postgres.url=\(url)"] }

        @Test func `a daemon on PostgreSQL signs people in, is killed, and goes on with the same rows`() async throws {
            let database = try await PostgresServer.shared.emptyDatabase()
            try await TestFolder.use { folder in
                let place = ["--data", folder["migrating"]] + Self.option(database.url)
                let refused = try await CommandRun.run(Programs.daemon, ["serve", "--set", "listen.port=0"] + place)
                #expect(refused.code == Self.unusableDatabase, "\(refused)")
                #expect(refused.complaint.contains("Run `vestibule migrate`"), "\(refused)")
                let migrated = try await CommandRun.run(Programs.daemon, ["migrate"] + place)
                #expect(migrated.code == 0 && migrated.output.hasPrefix("Applied: "), "\(migrated)")
                let again = try await CommandRun.run(Programs.daemon, ["migrate"] + place)
                #expect(again.output == "The database is up to date.\n", "\(again)")
            }
            let person = "accept+ada@example.com"
            try await Fixture.run(["storage.postgres.url=\(database.url)"], people: [person]) { fixture in
                let daemon = fixture.daemon
                for _ in 0..<2 {
                    let words = ["login", "--server", daemon.url, "--scripted", "--json", "--email", person]
                    let login = try await CommandRun.run(Programs.daemon, words + ["--store", fixture.folder["login"]])
                    #expect(login.code == 0, "\(login)")
                    let ready = try await fixture.web.send(.get, "\(daemon.url)/readyz")
                    #expect(ready.status == 200 && ready.text.contains(#""clock":"ok""#), "\(ready)")
                    try await daemon.order(["audit", "verify"])
                    try await daemon.restart()
                }
                let doctor = try await daemon.command("doctor", "--json", "--set", "listen.port=\(daemon.port)")
                // The tests' server syncs neither its log nor its commits.
                let findings = try doctor.json([Finding].self).filter { $0.check == "database" }
                #expect(findings.map(\.level) == ["warning", "warning"], "\(doctor)")
                #expect(try await daemon.stop() == .exited(0))
                // Without a daemon the commands open the database themselves.
                try await daemon.order(["audit", "verify"])
                #expect(try await daemon.order(["accounts", "list"]).output.contains(person))
                #expect(!FileManager.default.fileExists(atPath: "\(daemon.dataFolder)/vestibule.sqlite"))
            }
            #expect(try await database.run("SELECT COUNT(*) FROM accounts") == [["1"]])
        }

        @Test func `what is wrong with a PostgreSQL database is said in one line by config check and by serve`()
            async throws
        {
            let server = try await PostgresServer.shared
            let database = try await server.emptyDatabase()
            let plain = "\(database.name)_ascii"
            try await server.run(
                "CREATE DATABASE \(plain) OWNER \(PostgresServer.owner) TEMPLATE template0 ENCODING 'SQL_ASCII'",
                in: PostgresServer.superuser,
                as: PostgresServer.superuser
            )
            let network = database.networkURL
            let cases = [
                (network, "wrong", "refuses the login"), (network + "?sslmode=verify-full", "", "can't be trusted"),
                (network.replacing(":\(server.port)/", with: ":1/"), "", "can't be reached"),
                (server.url(of: "no_such_database"), "", "does not exist"), (server.url(of: plain), "", "SQL_ASCII"),
            ]
            try await TestFolder.use { folder in
                for (url, password, reason) in cases {
                    var options = ["--data", folder["data"]] + Self.option(url)
                    if !password.isEmpty { options += ["--set", "storage.postgres.password=env:DATABASE_PASSWORD"] }
                    for words in [["config", "check"], ["serve", "--set", "listen.port=0"]] {
                        let run = try await CommandRun.run(
                            Programs.daemon,
                            words + options,
                            environment: ["DATABASE_PASSWORD": password]
                        )
                        #expect(run.code == Self.unusableDatabase, "\(run)")
                        #expect(run.complaint.contains(reason) && !run.complaint.contains("\n"), "\(run)")
                    }
                    let words = ["config", "check", "--offline"] + options
                    let run = try await CommandRun.run(
                        Programs.daemon,
                        words,
                        environment: ["DATABASE_PASSWORD": "x"]
                    )
                    #expect(run.code == 0 && run.output == "ok\n", "\(run)")
                }
            }
            try await server.drop(plain)
        }

        @Test func `config check and serve connect with the password, and change nothing`() async throws {
            let database = try await PostgresServer.shared.emptyDatabase()
            // What libpq would read beside the checked address. An empty SWIFT_BACKTRACE makes `serve` execute itself again.
            let variables = [
                "PGPASSWORD": PostgresServer.password, "PGHOSTADDR": "127.0.0.2", "PGSERVICE": "none",
                "PGOPTIONS": "-c default_transaction_read_only=on", "SWIFT_BACKTRACE": "",
            ]
            try await TestFolder.use { folder in
                let options =
                    ["--data", folder["data"], "--set", "storage.postgres.password=env:PGPASSWORD"]
                    + Self.option(database.networkURL)
                let run = try await CommandRun.run(
                    Programs.daemon,
                    ["config", "check"] + options,
                    environment: variables
                )
                #expect(run.code == 0 && run.output == "ok\n", "\(run)")
                #expect(run.error.contains("warning: synchronous_commit is off"), "\(run)")
                let serve = try await CommandRun.run(
                    Programs.daemon,
                    ["serve", "--set", "listen.port=0"] + options,
                    environment: variables
                )
                #expect(serve.complaint.contains("Run `vestibule migrate`"), "\(serve)")
            }
            #expect(try await database.run("SELECT 1 FROM pg_tables WHERE schemaname = 'public'").isEmpty)
        }

        @Test func `attack: no password is sent that the config does not name`() async throws {
            let database = try await PostgresServer.shared.emptyDatabase()
            try await TestFolder.use { folder in
                let passwords = try folder.write(".pgpass", "*:*:*:*:\(PostgresServer.password)\n")
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: passwords)
                let run = try await CommandRun.run(
                    Programs.daemon,
                    ["config", "check", "--data", folder["data"]] + Self.option(database.networkURL),
                    environment: [
                        "PGPASSWORD": PostgresServer.password, "PGPASSFILE": passwords, "HOME": folder.path,
                    ]
                )
                #expect(run.code == Self.unusableDatabase && run.complaint.contains("password"), "\(run)")
            }
        }
    }
}
