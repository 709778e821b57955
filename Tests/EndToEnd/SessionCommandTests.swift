import Foundation
import Outbound
import Testing
import Wire

extension EndToEnd {
    /// `vestibule sessions`, with and without a daemon.
    struct SessionCommands {
        private struct Row: Decodable {
            let id: String
            let client: String
            let isOpen: Bool
            let endedAt: Int64?
            let reason: String?
        }

        // T-097
        @Test func `sessions are listed and ended, one or all, and their tokens are refused at once`() async throws {
            try await Fixture.run(people: ["accept@example.com"]) { fixture in
                let daemon = fixture.daemon
                let first = try await signIn(fixture)
                let second = try await signIn(fixture)
                let third = try await signIn(fixture)
                let listed = try await list(fixture)
                #expect(listed.count == 3 && listed.allSatisfy(\.isOpen) && listed.allSatisfy { $0.client == "bbms" })

                let session = try Claims(first.accessToken).sid
                let one = try await daemon.order(["sessions", "revoke", session, "--json"])
                #expect(try one.json([String: Int].self) == ["revoked": 1])
                #expect(try await me(first, fixture) == 401)
                #expect(try await me(second, fixture) == 200)
                let ended = try #require(try await list(fixture).first { $0.id == session })
                #expect(!ended.isOpen && ended.endedAt != nil && ended.reason == "revoked_by_operator")
                let again = try await daemon.command("sessions", "revoke", session)
                #expect(again.code == 1 && again.complaint.contains("already ended"), "\(again)")

                let all = try await daemon.order(["sessions", "revoke", "--account", "accept@example.com"])
                #expect(all.output == "2 session(s) ended.\n")
                #expect(try await me(second, fixture) == 401)
                #expect(try await me(third, fixture) == 401)
                let table = try await daemon.order(["sessions", "list", "accept@example.com"]).output
                #expect(table.contains("REASON") && table.contains("revoked_by_operator"))
                #expect(try await daemon.order(["audit", "list", "--json"]).output.contains("revoked_by_operator"))
            }
        }

        @Test func `with the daemon stopped they end on the disk, and stay so`() async throws {
            try await Fixture.run(people: ["accept@example.com"]) { fixture in
                let tokens = try await signIn(fixture)
                #expect(try await fixture.daemon.stop() == .exited(0))
                try await fixture.daemon.order(["sessions", "revoke", try Claims(tokens.accessToken).sid])
                try await fixture.daemon.start()
                #expect(try await me(tokens, fixture) == 401)
                let refresh = try await fixture.web.send(
                    .post,
                    "\(fixture.daemon.url)/auth/refresh",
                    ["Authorization": "Bearer \(tokens.refreshToken)"]
                )
                #expect(refresh.status == 401)
            }
        }

        @Test func `an impossible command ends with a message`() async throws {
            try await Fixture.run { fixture in
                let daemon = fixture.daemon
                #expect(try await daemon.command("sessions", "revoke").code == 64)
                let both = try await daemon.command("sessions", "revoke", "x", "--account", "a@example.com")
                #expect(both.code == 64, "\(both)")
                for id in ["x", "00000000-0000-4000-8000-000000000000"] {
                    let run = try await daemon.command("sessions", "revoke", id)
                    #expect(run.code == 1 && run.complaint.contains("sessions list"), "\(run)")
                }
                for words in [
                    ["sessions", "list", "nobody@example.com"],
                    ["sessions", "revoke", "--account", "nobody@example.com"],
                ] {
                    let run = try await CommandRun.run(Programs.daemon, words + daemon.options)
                    #expect(run.code == 1 && run.complaint.contains("nobody@example.com"), "\(run)")
                }
            }
        }

        private func signIn(_ fixture: Fixture) async throws -> LoginTokens {
            try #require(try await fixture.app.follow(try await fixture.app.begin("accept@example.com")).tokens)
        }

        private func list(_ fixture: Fixture) async throws -> [Row] {
            try await fixture.daemon.order(["sessions", "list", "accept@example.com", "--json"]).json([Row].self)
        }

        private func me(_ tokens: LoginTokens, _ fixture: Fixture) async throws -> Int {
            let headers = ["Authorization": "Bearer \(tokens.accessToken)"]
            return try await fixture.web.send(.get, "\(fixture.daemon.url)/auth/me", headers).status
        }
    }
}
