import Foundation
import Glibc
import Outbound
import Testing
import Wire

extension EndToEnd {
    /// The administration, with the daemon running and without.
    @Suite struct CommandLineInterface {
        struct Account: Decodable, Equatable {
            let id: String
            let name: String
            let state: String
            let emails: [String]
            let attributes: [String: String]
            let enrolments: [String]
            let hasPassword: Bool
        }

        struct Key: Decodable {
            let kid: String
            let state: String
        }

        @Test func `accounts are added, listed, shown, imported and disabled over the socket`() async throws {
            try await Fixture.run { fixture in
                let daemon = fixture.daemon
                // Bound first and narrowed then: nobody else may enter it at either moment.
                var seen: Set<mode_t> = []
                try await eventually("the socket, for its owner alone") {
                    var status = stat()
                    guard stat(daemon.adminSocket, &status) == 0 else { return false }
                    seen.insert(status.st_mode & 0o077)
                    return status.st_mode & 0o777 == 0o600
                }
                #expect(seen == [0])

                let words = ["--email", "boss@example.com", "--name", "The Boss", "--attribute", "role=admin"]
                let added = try await daemon.order(["accounts", "add"] + words + ["--enroll", "mock", "--json"])
                    .json(Account.self)
                #expect(added.attributes["role"] == "admin" && added.state == "active" && !added.hasPassword)
                #expect(added.enrolments.count == 1)
                #expect(try await daemon.order(["accounts", "show", "boss@example.com"]).json(Account.self) == added)
                #expect(try await daemon.order(["accounts", "show", added.id, "--json"]).json(Account.self) == added)
                try await daemon.order(["accounts", "add", "--name", "Nobody's Address"])
                let secret = try await daemon.order(
                    ["accounts", "add", "--email", "pw@example.com", "--password", "-", "--json"],
                    input: "correct horse battery staple\n"
                )
                #expect(try secret.json(Account.self).hasPassword)

                let changed = try await daemon.order(
                    ["accounts", "set", "pw@example.com", "--name", "P. W.", "--attribute", "role=manager", "--json"]
                ).json(Account.self)
                #expect(changed.name == "P. W." && changed.attributes == ["role": "manager"] && changed.hasPassword)

                try await imports(daemon)
                let listed = try await daemon.order(["accounts", "list", "--json"]).json([Account].self)
                #expect(listed.count == 6)
                let table = try await daemon.order(["accounts", "list"]).output
                #expect(table.hasPrefix("ID ") && table.contains("boss@example.com"))

                try await disables(fixture)
            }
        }

        @Test func `commands work on the folder of a stopped daemon, which then has their changes`() async throws {
            try await Fixture.run { fixture in
                let daemon = fixture.daemon
                #expect(try await daemon.stop() == .exited(0))
                #expect(!FileManager.default.fileExists(atPath: daemon.adminSocket))
                let added = try await daemon.order(
                    ["accounts", "add", "--email", "accept+off@example.com", "--enroll", "mock", "--json"]
                ).json(Account.self)
                try await imports(daemon)
                try await daemon.order(["accounts", "disable", "second@example.com"])
                #expect(try await daemon.order(["operations", "list", "--json"]).json([OperationRow].self).isEmpty)
                let keys = try await daemon.order(["keys", "rotate", "--now", "--json"]).json([Key].self)
                let ring = ["active", "next", "retiring"]
                #expect(keys.map(\.state) == ring + ring, "those of tokens, and those of RS256 id tokens")

                try await daemon.start()
                let listed = try await daemon.order(["accounts", "list", "--json"]).json([Account].self)
                #expect(Set(listed.map(\.state)) == ["active", "disabled"])
                #expect(listed.contains(added))
                let login = try await fixture.app.begin("accept+off@example.com")
                let answer = try await fixture.app.follow(login)
                #expect(try Claims.keyID(try #require(answer.accessToken)) == keys.first?.kid)
            }
        }

        @Test func `commands that come at once to the folder of a stopped daemon wait for each other`() async throws {
            try await Fixture.run { fixture in
                let daemon = fixture.daemon
                #expect(try await daemon.stop() == .exited(0))
                let runs = try await withThrowingTaskGroup(of: CommandRun.self) { group in
                    for number in 1...5 {
                        group.addTask {
                            try await daemon.command("accounts", "add", "--email", "at-once-\(number)@example.com")
                        }
                    }
                    return try await group.reduce(into: [CommandRun]()) { $0.append($1) }
                }
                for run in runs { #expect(run.code == 0, "\(run)") }
                let listed = try await daemon.order(["accounts", "list", "--json"]).json([Account].self)
                #expect(listed.count == 5)
            }
        }

        @Test(.enabled(if: Database.isReadable, Database.missingTool))
        func `a command never changes the schema of a database that is there`() async throws {
            try await TestFolder.use { folder in
                let data = folder["data"]
                // A folder with nothing in it is a first start.
                _ = try await command(["accounts", "add", "--email", "first@example.com"], data, expecting: 0)
                let database = Database(path: "\(data)/vestibule.sqlite")
                try await database.change("DELETE FROM schema_migrations")
                for words in [["accounts", "list"], ["accounts", "add", "--name", "A"], ["keys", "list"]] {
                    let run = try await command(words, data, expecting: 74)
                    #expect(run.complaint.contains("Run `vestibule migrate`"), "\(run)")
                }
                #expect(try await database.number("SELECT COUNT(*) FROM schema_migrations") == 0)
                // An empty file is a database without tables.
                try FileManager.default.removeItem(atPath: database.path)
                try folder.write("data/vestibule.sqlite", "")
                _ = try await command(["accounts", "list"], data, expecting: 74)
                let tables = "SELECT COUNT(*) FROM sqlite_schema"
                #expect(try await database.number(tables) == 0)
                _ = try await command(["migrate"], data, expecting: 0)
                let listed = try await command(["accounts", "list", "--json"], data, expecting: 0)
                #expect(try listed.json([Account].self).isEmpty)
            }
        }

        @Test func `a command to a running daemon needs none of its secrets`() async throws {
            try await TestFolder.use { folder in
                let data = folder["data"]
                let config = try folder.write(
                    "vestibule.yaml",
                    """
                    listen: {port: 0, adminSocket: admin.sock}
                    clients: {app: {name: App}}
                    faceLogin: {provider: scan}
                    providers: {scan: {kind: authid, baseURL: "https://scan.example.com", keyID: "env:ID", keyValue: "env:VALUE"}}
                    """
                )
                let options = ["--config", config, "--data", data]
                let secrets = ["ID": "an id", "VALUE": "a value"]
                let adding = ["accounts", "add", "--name", "A"]
                let stopped = try await CommandRun.run(Programs.daemon, adding + options)
                #expect(stopped.code == 78 && stopped.complaint.contains("keyID"), "\(stopped)")
                #expect(!FileManager.default.fileExists(atPath: data), "a faulty config left a folder behind")
                let program = try await RunningProgram.start(Programs.daemon, ["serve"] + options, environment: secrets)
                do {
                    _ = try await program.line(beginning: "vestibule listening on ")
                    for words in [["keys", "list"], ["accounts", "add", "--name", "A"], ["operations", "list"]] {
                        let run = try await CommandRun.run(Programs.daemon, words + options)
                        #expect(run.code == 0, "\(run)")
                    }
                } catch {
                    await program.destroy()
                    throw error
                }
                await program.destroy()
            }
        }

        @Test func `a missing or invalid data folder is reported and not made`() async throws {
            try await TestFolder.use { folder in
                let blob = try folder.write("blob.jwt", "x")
                let empty = folder["empty"]
                try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: false)
                for words in [
                    ["accounts", "list"], ["accounts", "show", "a@example.com"], ["operations", "list"],
                    ["devices", "list", "a@example.com"], ["passkeys", "list", "a@example.com"],
                    ["sessions", "list", "a@example.com"], ["keys", "list"], ["keys", "rotate", "--now"],
                    ["audit", "verify"], ["audit", "checkpoint"], ["mail", "list"], ["mail", "flush"],
                    ["clients", "list"], ["clients", "add", "--redirect-uri", "a.b:/c"],
                    ["clients", "registration-token"], ["mds", "load", blob, "--root", blob],
                ] {
                    let run = try await command(words, folder["nowhere"], expecting: 74)
                    #expect(run.complaint.contains("The data folder \(folder["nowhere"]) does not exist"), "\(run)")
                    #expect(run.complaint.contains("--data") && run.output.isEmpty, "\(run)")
                    guard words[0] != "mds" else { continue }
                    let other = try await command(words, empty, expecting: 74)
                    #expect(other.complaint.contains("\(empty)/vestibule.sqlite"), "\(other)")
                }
                #expect(!FileManager.default.fileExists(atPath: folder["nowhere"]))
                #expect(try FileManager.default.contentsOfDirectory(atPath: empty).isEmpty)
                _ = try await command(["accounts", "add", "--name", "A"], folder["new"], expecting: 0)
                _ = try await command(["accounts", "list"], folder["new"], expecting: 0)
            }
        }

        @Test func `a file longer than a batch is imported, and a second time changes nothing`() async throws {
            try await Fixture.run { fixture in
                let rows = (1...450).map { "person\($0)@example.com,Person \($0)" }
                let csv = "email,name\n" + rows.joined(separator: "\n") + "\n"
                let run = try await fixture.daemon.order(["accounts", "import", "-"], input: csv)
                #expect(run.output == "Added 450 account(s).\n")
                #expect(run.complaint.contains("200 of 450 lines"), "\(run)")
                let again = try await fixture.daemon.command("accounts", "import", "-", "--from", "300", input: csv)
                #expect(again.code == 1 && again.output == "Added 0 account(s).\n", "\(again)")
                #expect(again.complaint.contains("Line 300:") && !again.complaint.contains("Line 299:"), "\(again)")
                let listed = try await fixture.daemon.order(["accounts", "list", "--limit", "1000", "--json"])
                #expect(try listed.json([Account].self).count == 450)
            }
        }

        @Test func `operations are listed, shown and ended by their row`() async throws {
            try await Fixture.run(people: ["ada@example.com"]) { fixture in
                let daemon = fixture.daemon
                let login = try await fixture.app.begin("ada@example.com")
                _ = try await fixture.app.initiate("nobody@example.com")
                let all = try await daemon.order(["operations", "list", "--json"])
                #expect(!all.output.contains(login.id))
                #expect(try all.json([OperationRow].self).count == 2)
                let query = ["operations", "list", "--account", "ada@example.com", "--state", "pending"]
                let pending = try await daemon.order(query + ["--json"]).json([OperationRow].self)
                let row = try #require(pending.first?.row)
                #expect(pending.count == 1)
                let shown = try await daemon.order(["operations", "show", row, "--json"])
                #expect(try shown.json(OperationRow.self).state == "pending" && shown.output.contains("person_scans"))
                let text = try await daemon.order(["operations", "show", row]).output
                #expect(text.contains("waits for: the person at the provider's page"), "\(text)")
                #expect(
                    text.contains("provider: mock, ok, circuit closed") && text.contains("last answer: "),
                    "\(text)"
                )
                #expect(try await daemon.order(["operations", "cancel", row]).output.contains("canceled"))
                let answer = try await fixture.app.poll(login)
                #expect(answer.status == .failed && answer.code == "canceled")
                let again = try await daemon.order(["operations", "cancel", row, "--json"]).json(OperationRow.self)
                #expect(again.state == "failed" && again.failure == "canceled")
            }
        }

        @Test func `an impossible command ends with a message and a code of its own`() async throws {
            try await Fixture.run { fixture in
                let daemon = fixture.daemon
                let unknown = try await daemon.command("accounts", "show", "nobody@example.com")
                #expect(unknown.code == 1 && unknown.complaint.contains("nobody@example.com"), "\(unknown)")
                #expect(unknown.output.isEmpty)
                let row = try await daemon.command("operations", "show", "00000000-0000-4000-8000-000000000000")
                #expect(row.code == 1, "\(row)")
                for kind in ["devices revoke", "passkeys remove"].map({ $0.split(separator: " ").map(String.init) }) {
                    let thing = try await daemon.command(kind[0], kind[1], "00000000-0000-4000-8000-000000000000")
                    #expect(thing.code == 1 && thing.complaint.contains("`\(kind[0]) list WHO`"), "\(thing)")
                }
                let state = try await daemon.command("operations", "list", "--state", "dreaming")
                #expect(state.code == 1 && state.complaint.contains("redeemed"), "\(state)")
                let provider = try await daemon.command("accounts", "add", "--name", "A", "--enroll", "nowhere")
                #expect(provider.code == 1 && provider.complaint.contains("nowhere"), "\(provider)")
                try await daemon.order(["accounts", "add", "--email", "twice@example.com"])
                let twice = try await daemon.command("accounts", "add", "--email", "TWICE@example.com")
                #expect(twice.code == 1, "\(twice)")
                #expect(try await daemon.command("accounts", "add").code == 64)
                #expect(try await daemon.command("accounts", "burn").code == 64)
                let secret = try await daemon.command("accounts", "add", "--name", "A", "--password", "hunter2")
                #expect(secret.code == 64 && secret.error.contains("--password -"), "\(secret)")
                let file = try await daemon.command("accounts", "import", fixture.folder["none.csv"])
                #expect(file.code == 74 && file.complaint.contains("none.csv"), "\(file)")
                let config = try await CommandRun.run(Programs.daemon, ["config", "check", "--set", "mode=palace"])
                #expect(config.code == 78 && config.error.contains("mode"), "\(config)")
                #expect(try await CommandRun.run(Programs.daemon, ["config", "check"]).output == "ok\n")
                let login = ["login", "--server", "http://127.0.0.1:1", "--email", "a@example.com"]
                let store = ["--store", fixture.folder["login.json"]]
                #expect(try await CommandRun.run(Programs.daemon, login + store).code == 69)
            }
        }

        @Test func `login without --email or with an invalid --server exits with 64 and names the option`()
            async throws
        {
            try await TestFolder.use { folder in
                let store = ["--store", folder["login.json"]]
                let nameless = try await CommandRun.run(Programs.daemon, ["login"] + store)
                #expect(nameless.code == 64 && nameless.complaint.contains("--email"), "\(nameless)")
                for server in ["nonsense", "http://example.com", "ftp://localhost", "https://a:b@example.com"] {
                    let words = ["login", "--email", "a@example.com", "--server", server]
                    let run = try await CommandRun.run(Programs.daemon, words + store)
                    #expect(run.code == 64 && run.complaint.contains("--server \(server) "), "\(run)")
                    #expect(run.complaint.contains("http://"), "\(run)")
                }
            }
        }

        @Test func `a failed login ends with its reason`() async throws {
            try await Fixture.run(people: ["reject_match@example.com"]) { fixture in
                let words = [
                    "login", "--server", fixture.daemon.url, "--email", "reject_match@example.com", "--scripted",
                ]
                let run = try await CommandRun.run(Programs.daemon, words + ["--store", fixture.folder["login.json"]])
                #expect(run.code == 1 && run.complaint.contains("did not match"), "\(run)")
            }
        }

        @Test func `the help of every command has examples`() async throws {
            struct Tree: Decodable {
                struct Command: Decodable {
                    let commandName: String
                    let discussion: String?
                    let subcommands: [Command]?
                }
                let command: Command
            }
            let tree = try await CommandRun.run(Programs.daemon, ["--experimental-dump-help"]).json(Tree.self)
            var commands: [([String], Tree.Command)] = [([], tree.command)]
            var count = 0
            while let (path, command) = commands.popLast() {
                // The parser's own.
                if command.commandName == "help" { continue }
                let children = command.subcommands ?? []
                commands += children.map { (path + [$0.commandName], $0) }
                count += 1
                let words = path.joined(separator: " ")
                let discussion = command.discussion ?? ""
                #expect(discussion.contains("EXAMPLES"), "\(words)")
                #expect(discussion.contains("vestibule \(words)"), "the examples of \(words) show another command")
                let help = try await CommandRun.run(Programs.daemon, path + ["--help"])
                #expect(help.code == 0 && help.output.contains("EXAMPLES"), "\(words)")
            }
            #expect(count > 16)
        }

        /// Imports two people, at the second try and beside one who is there already.
        private func imports(_ daemon: Daemon) async throws {
            let people = "email,name,role\nfirst@example.com,First,manager\nsecond@example.com,Second,user\n"
            let broken = try await daemon.command("accounts", "import", "-", input: people + "nowhere,Wrong,user\n")
            #expect(broken.code == 1 && broken.output == "Added 0 account(s).\n", "\(broken)")
            #expect(broken.complaint.contains("Line 4"), "\(broken)")
            try await daemon.order(["accounts", "add", "--email", "there@example.com"])
            let run = try await daemon.command("accounts", "import", "-", input: people + "there@example.com,T,user\n")
            #expect(run.code == 1 && run.output == "Added 2 account(s).\n", "\(run)")
            #expect(run.complaint.contains("Line 4") && run.complaint.contains("there@example.com"), "\(run)")
        }

        /// A disabled person's login in progress ends, and a new one leads nowhere.
        private func disables(_ fixture: Fixture) async throws {
            let login = try await fixture.app.begin("boss@example.com")
            let run = try await fixture.daemon.order(["accounts", "disable", "boss@example.com", "--json"])
            #expect(try run.json(Account.self).state == "disabled")
            let answer = try await fixture.app.poll(login)
            #expect(answer.status == .failed && answer.code == "account_blocked", "\(answer)")
            let next = try await fixture.app.initiate("boss@example.com")
            #expect(try await fixture.app.open(next) == 200)
            #expect(try await fixture.app.poll(next).status == .pending)
        }

        private func command(_ words: [String], _ data: String, expecting code: Int32) async throws -> CommandRun {
            let run = try await CommandRun.run(Programs.daemon, words + ["--data", data])
            #expect(run.code == code, "\(run)")
            return run
        }
    }
}
