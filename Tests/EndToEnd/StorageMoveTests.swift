import Foundation
import Outbound
import PostgresServer
import Testing
import Wire

extension EndToEnd {
    /// An installation on SQLite that goes on on PostgreSQL.
    @Suite(.enabled(if: Database.isReadable, Database.missingTool))
    struct StorageMove {
        private struct Moved: Decodable {
            let isMoved: Bool
            let rows: Int?
            let lastAuditRow: Int?
            let checkpoints: Int?
            let code: String?
        }

        private static let person = "accept@example.com"

        // T-270
        @Test
        func `a daemon on SQLite signs people in, and after a move one on PostgreSQL goes on with their sessions`()
            async throws
        {
            let target = try await PostgresServer.shared.emptyDatabase()
            let settings = [
                "clients.bbms.refresh=rotation", "faceLogin.approvalWindow=600s", "faceLogin.redemptionWindow=600s",
            ]
            try await Fixture.run(settings, people: [Self.person]) { fixture in
                let (daemon, app) = (fixture.daemon, fixture.app)
                let signedIn = try await app.begin(Self.person, withVerifier: true)
                let refreshToken = try #require(try await app.follow(signedIn).refreshToken)
                #expect(try await app.acknowledge(signedIn).status == 200)
                let approved = try await app.begin(Self.person, withVerifier: true)
                try await eventually("the approval") { try await daemon.database.state(of: approved.id) == "approved" }
                let running = try await daemon.command("storage", "move", "--to", target.url)
                #expect(running.code == 74 && running.complaint.contains("Stop it first"), "\(running)")
                #expect(try await daemon.stop() == .exited(0))
                let accounts = try await daemon.database.number("SELECT COUNT(*) FROM accounts")
                try await Self.move(daemon, to: target)
                #expect(try await target.run("SELECT COUNT(*) FROM accounts") == [["\(accounts)"]])
                let successor = daemon.successor(["storage.postgres.url=\(target.url)"])
                do {
                    try await Self.goOn(successor, fixture, redeeming: approved, refreshing: refreshToken)
                } catch {
                    await successor.destroy()
                    throw error
                }
                await successor.destroy()
            }
        }

        private static func move(_ daemon: Daemon, to target: TestPostgresDatabase) async throws {
            let files = try FileManager.default.contentsOfDirectory(atPath: daemon.dataFolder)
            let before = try Data(contentsOf: URL(filePath: daemon.database.path))
            let run = try await daemon.command("storage", "move", "--to", target.url, "--json")
            let moved = try run.json(Moved.self)
            #expect(run.code == 0 && moved.isMoved && moved.rows ?? 0 > 10, "\(run)")
            #expect(moved.lastAuditRow ?? 0 > 0 && moved.checkpoints ?? 0 > 0, "\(run)")
            #expect(run.error.contains("  accounts: 1 row(s)\n") && run.error.contains("Compared: "), "\(run)")
            #expect(try Data(contentsOf: URL(filePath: daemon.database.path)) == before)
            #expect(Set(try FileManager.default.contentsOfDirectory(atPath: daemon.dataFolder)).isSuperset(of: files))
            let again = try await daemon.command("storage", "move", "--to", target.url, "--json")
            #expect(again.code == 1 && again.complaint.contains("already holds rows"), "\(again)")
            #expect(try again.json(Moved.self).code == "target_not_empty", "\(again)")
        }

        private static func goOn(
            _ daemon: Daemon,
            _ fixture: Fixture,
            redeeming login: App.Login,
            refreshing token: String
        ) async throws {
            // With the checkpoints of the daemon on SQLite, which are in the folder.
            try await daemon.order(["audit", "verify"])
            try await daemon.start()
            let redeemed = try await fixture.app.poll(login)
            #expect(redeemed.status == .completed && redeemed.refreshToken != nil, "\(redeemed)")
            #expect(try await fixture.app.acknowledge(login).status == 200)
            for token in [token, try #require(redeemed.refreshToken)] {
                let reply = try await fixture.web.send(
                    .post,
                    daemon.url + "/auth/refresh",
                    ["Authorization": "Bearer \(token)"]
                )
                #expect(try reply.json(RefreshResponse.self).refreshToken != nil, "\(reply)")
            }
            let again = try await fixture.app.begin(person, withVerifier: true)
            #expect(try await fixture.app.follow(again).refreshToken != nil)
            try await daemon.order(["audit", "verify"])
            #expect(try await daemon.order(["accounts", "list"]).output.contains(person))
            #expect(try await daemon.stop() == .exited(0))
            try await daemon.order(["audit", "verify"])
        }

        @Test func `for people the command prints its progress, the lines for the config and what to do next`()
            async throws
        {
            let target = try await PostgresServer.shared.emptyDatabase()
            try await TestFolder.use { folder in
                let place = ["--data", folder["data"]]
                let adding = ["accounts", "add", "--email", Self.person]
                let added = try await CommandRun.run(Programs.daemon, adding + place)
                #expect(added.code == 0, "\(added)")
                let password = try folder.write("password", PostgresServer.password + "\n")
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: password)
                let url = target.networkURL
                let words = ["storage", "move", "--to", url, "--password-file", password]
                let run = try await CommandRun.run(Programs.daemon, words + place)
                #expect(run.code == 0 && run.complaint.isEmpty, "\(run)")
                for line in [
                    "  accounts: 1 row(s)\n", "Compared: each table has the same rows", "Moved ",
                    "     storage:\n       postgres:\n         url: \"\(url)\"\n         password: file:\(password)\n",
                    "  2. Start the daemon: vestibule serve\n", "  3. Keep \(folder["data"])/vestibule.sqlite until",
                ] { #expect(run.output.contains(line), "\(line)\n\(run)") }
                let options = ["--set", "storage.postgres.url=\(target.url)"]
                let listed = try await CommandRun.run(Programs.daemon, ["accounts", "list"] + place + options)
                #expect(listed.code == 0 && listed.output.contains(Self.person), "\(listed)")
            }
        }

        /// A command line that is refused, its exit code, and the code in its JSON.
        private struct Refused {
            let words: [String]
            let exit: Int32
            let code: String?
            let part: String
        }

        // T-219, T-270
        @Test func `attack: what can't be moved is refused with a code, and no password is taken from the URL`()
            async throws
        {
            let target = try await PostgresServer.shared.emptyDatabase()
            try await TestFolder.use { folder in
                let data = folder["data"]
                let added = try await CommandRun.run(
                    Programs.daemon,
                    ["accounts", "add", "--email", Self.person, "--data", data]
                )
                #expect(added.code == 0, "\(added)")
                let secret = "postgres://vestibule:hunter2@127.0.0.1/people"
                let file = ["--set", "storage.file=\(folder["none.sqlite"])"]
                let cases = [
                    Refused(words: ["--to", secret, "--data", data], exit: 78, code: nil, part: "holds a password"),
                    Refused(
                        words: ["--to", "postgres://127.0.0.1:1/people", "--data", data],
                        exit: 74,
                        code: "target_unreachable",
                        part: "can't be reached"
                    ),
                    Refused(
                        words: ["--to", target.networkURL, "--data", data],
                        exit: 74,
                        code: "target_login",
                        part: "refuses the login"
                    ),
                    Refused(
                        words: ["--to", target.url, "--data", folder["none"]],
                        exit: 74,
                        code: "data_folder",
                        part: "does not exist"
                    ),
                    // Two databases are named from outside the file.
                    Refused(
                        words: ["--to", target.url, "--data", data] + file,
                        exit: 78,
                        code: nil,
                        part: "Remove one of them"
                    ),
                ]
                for refused in cases {
                    let run = try await CommandRun.run(Programs.daemon, ["storage", "move", "--json"] + refused.words)
                    #expect(run.code == refused.exit && run.complaint.contains(refused.part), "\(run)")
                    #expect(!(run.output + run.error).contains("hunter2"))
                    if let code = refused.code { #expect(try run.json(Moved.self).code == code, "\(run)") }
                }
                // Another server's keys.
                try FileManager.default.removeItem(atPath: "\(data)/keys/root.key")
                let words = ["storage", "move", "--json", "--to", target.url, "--data", data]
                let run = try await CommandRun.run(Programs.daemon, words)
                #expect(run.code == 74, "\(run)")
                #expect(try run.json(Moved.self).code == "key_mark_differs", "\(run)")
            }
            #expect(try await target.run("SELECT 1 FROM pg_tables WHERE schemaname = 'public'").isEmpty)
        }
    }
}
