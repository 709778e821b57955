import Foundation
import Testing

extension EndToEnd {
    /// `vestibule clients`, with and without a daemon.
    struct ClientCommands {
        private struct Client: Decodable {
            let id: String
            let origin: String
            let isEnabled: Bool
            let secretsOrKeys: Int
        }

        private struct Issued: Decodable {
            let client: Client
            let secret: String?
        }

        @Test func `clients are added, given new secrets, disabled and enabled, and the config's stay as they are`()
            async throws
        {
            try await Fixture.run { fixture in
                let daemon = fixture.daemon
                let order = ["clients", "add", "--id", "backend", "--auth", "secret", "--json"]
                let added = try await daemon.order(order + ["--redirect-uri", "https://app.example.com/done"])
                    .json(Issued.self)
                #expect(added.client.origin == "added" && added.secret?.count == 43)
                let rotated = try await daemon.order(
                    ["clients", "rotate-secret", "backend", "--overlap", "1d", "--json"]
                ).json(Issued.self)
                #expect(rotated.client.secretsOrKeys == 2 && rotated.secret != added.secret)
                let signedOut = try await daemon.order(["clients", "end-sessions", "backend", "--json"]).json(
                    [String: Int].self
                )
                #expect(signedOut == ["revoked": 0])
                let disabled = try await daemon.order(["clients", "disable", "backend", "--json"]).json(Client.self)
                #expect(!disabled.isEnabled)
                let listed = try await daemon.order(["clients", "list", "--json"]).json([Client].self)
                #expect(listed.map(\.id) == ["backend", "myvoo"])
                let shown = try await daemon.order(["clients", "show", "backend"]).output
                #expect(shown.contains("disabled") && !shown.contains(rotated.secret ?? "secret"))
                let configured = try await daemon.command("clients", "disable", "myvoo")
                #expect(configured.code == 1)
                #expect(configured.complaint.contains("is in the built-in config"), "\(configured)")
                let twice = try await daemon.command("clients", "add", "--id", "backend", "--redirect-uri", "a.b:/c")
                #expect(twice.code == 1 && twice.complaint.contains("already"), "\(twice)")
                let bad = try await daemon.command("clients", "add", "--redirect-uri", "http://app.example.com/")
                #expect(bad.code == 1 && bad.complaint.contains("https"), "\(bad)")
                let keyless = try await daemon.command(
                    "clients",
                    "add",
                    "--auth",
                    "private-key-jwt",
                    "--redirect-uri",
                    "a.b:/c"
                )
                #expect(keyless.code == 1 && keyless.complaint.hasPrefix("--keys belongs to --auth"), "\(keyless)")
                let wrong = try await daemon.command("clients", "rotate-secret", "backend", "--overlap", "soon")
                #expect(wrong.code == 64, "\(wrong)")
                let rows = try await daemon.order(["audit", "list", "--json"]).output
                #expect(rows.contains("client.added") && rows.contains("client.secret_rotated"))
                #expect(!rows.contains(added.secret ?? "secret"))
            }
        }

        @Test func `with the daemon stopped they are the same`() async throws {
            try await Fixture.run { fixture in
                #expect(try await fixture.daemon.stop() == .exited(0))
                let token = try await fixture.daemon.order(["clients", "registration-token"]).output
                #expect(token.count == 44, "43 characters and a line break")
                try await fixture.daemon.order([
                    "clients", "add", "--id", "app", "--redirect-uri", "com.example.app:/done",
                ])
                try await fixture.daemon.start()
                let app = try await fixture.daemon.order(["clients", "show", "app", "--json"]).json(Client.self)
                #expect(app.isEnabled && app.secretsOrKeys == 0)
            }
        }
    }
}
