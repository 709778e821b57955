import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// An installation from its first file on: set up, running, looked at.
    @Suite struct Installations {
        private struct Finding: Decodable {
            let check: String
            let level: String
            let found: String
        }

        private struct Health: Decodable { let status: String }

        private struct Build: Decodable {
            let version: String
            let commit: String
            let date: String
        }

        @Test func `init writes a config that passes config check, and a second run leaves it unchanged`() async throws
        {
            try await TestFolder.use { folder in
                let secret = try folder.write("given", "a-secret\n")
                chmod(secret, 0o600)
                let place = ["--config", folder["etc/vestibule.yaml"], "--data", folder["data"]]
                let words =
                    [
                        "init", "--public-url", "https://login.example.com", "--mail-server", "smtp.example.com",
                        "--mail-from", "no-reply@example.com", "--provider-id-file", secret, "--provider-key-file",
                        secret,
                    ] + place
                let run = try await CommandRun.run(Programs.daemon, words)
                #expect(run.code == 0 && run.output.contains("vestibule serve --config"), "\(run)")
                let check = try await CommandRun.run(Programs.daemon, ["config", "check"] + place)
                #expect(check.code == 0 && check.output == "ok\n" && check.error.isEmpty, "\(check)")
                let again = try await CommandRun.run(Programs.daemon, words)
                #expect(again.code == 73 && again.error.contains("etc/vestibule.yaml"), "\(again)")
                let bare = try await CommandRun.run(Programs.daemon, ["init", "--no-mail"])
                #expect(bare.code == 64 && bare.error.contains("--public-url"), "\(bare)")
            }
        }

        @Test func `a running daemon is ready, and nothing is wrong with what doctor can see of it`() async throws {
            try await Fixture.run { fixture in
                let port = ["--set", "listen.port=\(fixture.daemon.port)"]
                let health = try await fixture.daemon.order(["health", "--json"] + port).json(Health.self)
                #expect(health.status == "ready")
                let run = try await fixture.daemon.order(["doctor", "--json"] + port)
                let findings = try run.json([Finding].self)
                for check in ["daemon", "publicURL", "proxy", "dns", "mail queue", "operations", "provider mock"] {
                    #expect(findings.filter { $0.check == check }.map(\.level) == ["ok"], "\(check): \(run)")
                }
                #expect(run.error.contains("checked daemon"))

                #expect(try await fixture.daemon.stop() == .exited(0))
                let stopped = try await CommandRun.run(Programs.daemon, ["health"] + fixture.daemon.options + port)
                #expect(stopped.code == 69, "\(stopped)")
                let down = try await CommandRun.run(Programs.daemon, ["doctor"] + fixture.daemon.options + port)
                #expect(down.code == 1 && down.output.contains("not checked: no daemon answers"), "\(down)")
            }
        }

        @Test func `the version has a commit and a date`() async throws {
            let run = try await CommandRun.run(Programs.daemon, ["version", "--json"])
            let build = try run.json(Build.self)
            #expect(!build.version.isEmpty && !build.commit.isEmpty && !build.date.isEmpty)
        }
    }
}
