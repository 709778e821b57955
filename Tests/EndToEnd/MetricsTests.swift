import Foundation
import Outbound
import Testing

extension EndToEnd {
    /// `/metrics` of the real daemon, as Prometheus sees it.
    @Suite struct Metrics {
        /// Debian's promtool, where scripts/promtool.sh puts it or on the search path.
        private static let promtool: String? = {
            let own = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: ".build/tools/promtool").path()
            if FileManager.default.isExecutableFile(atPath: own) { return own }
            return Programs.isInstalled("promtool") ? "promtool" : nil
        }()

        private static func address(_ fixture: Fixture) async throws -> String {
            guard let program = fixture.daemon.program else { throw ExpectationError("the daemon was not started") }
            let line = try await program.line(beginning: "vestibule metrics on ")
            return String(line.split(separator: " ").last ?? "")
        }

        @Test(.enabled(if: promtool != nil, "there is no promtool: run scripts/promtool.sh"))
        func `promtool finds nothing wrong with the metrics of a daemon at work`() async throws {
            let promtool = try #require(Self.promtool)
            try await Fixture.run(
                ["metrics.enabled=true", "metrics.port=0"],
                people: ["accept@example.com", "reject_match@example.com"]
            ) { fixture in
                let app = fixture.app
                for email in ["accept@example.com", "reject_match@example.com"] {
                    let login = try await app.begin(email)
                    _ = try await app.follow(login)
                }
                let reply = try await fixture.web.send(.get, try await Self.address(fixture))
                #expect(reply.status == 200)
                #expect(reply.header("content-type") == "text/plain; version=0.0.4; charset=utf-8")
                let check = try await CommandRun.run("env", [promtool, "check", "metrics"], input: reply.text)
                #expect(check.code == 0 && check.output.isEmpty && check.error.isEmpty, "\(check)\n\(reply.text)")
                #expect(reply.text.contains(#"vestibule_operation_failures_total{code="not_matched"} 1"#))
                #expect(reply.text.contains(#"vestibule_operation_transitions_total{state="redeemed"} 1"#))
            }
        }

        // T-224
        @Test func `the public port has no metrics, and the metrics' port nothing else`() async throws {
            try await Fixture.run(["metrics.enabled=true", "metrics.port=0"]) { fixture in
                let metrics = try await Self.address(fixture)
                #expect(try await fixture.web.send(.get, fixture.daemon.url + "/metrics").status == 404)
                let base = try #require(URL(string: metrics)?.port).description
                for path in ["/livez", "/", "/auth/biometric-login/initiate"] {
                    #expect(try await fixture.web.send(.get, "http://127.0.0.1:\(base)\(path)").status == 404)
                }
                #expect(try await fixture.web.send(.post, metrics).status == 404)
            }
        }

        // RFC 9112 §3.2; the handlers that see to it bound bodies and unread answers as well.
        // T-232
        @Test func `attack: the metrics port answers 400 and closes as the public port does`() async throws {
            try await Fixture.run(["metrics.enabled=true", "metrics.port=0"]) { fixture in
                let address = try await Self.address(fixture)
                let port = try #require(URL(string: address)?.port)
                let connection = try RawConnection(port: port)
                try connection.write("GET /metrics HTTP/1.1\r\n\r\n")
                let head = try connection.readHead()
                #expect(head.hasPrefix("HTTP/1.1 400 "), "\(head)")
                #expect(head.lowercased().contains("\r\nconnection: close\r\n"))
            }
        }

        @Test func `a port that is taken is named, with its key`() async throws {
            try await Fixture.run { fixture in
                let run = try await CommandRun.run(
                    Programs.daemon,
                    [
                        "serve", "--data", fixture.folder["other"], "--set", "listen.port=0", "--set",
                        "metrics.enabled=true", "--set", "metrics.port=\(fixture.daemon.port)",
                    ]
                )
                #expect(run.code == 69)
                #expect(run.complaint.contains("metrics.port"))
            }
        }
    }
}
