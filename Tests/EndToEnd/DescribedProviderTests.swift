import Foundation
import ScriptedServer
import Synchronization
import Testing
import Wire

extension EndToEnd {
    /// A provider that is a file of the config, at a scripted server, and the daemon as it is shipped.
    @Suite struct DescribedProviders {
        struct Provider: Decodable, Equatable {
            let name: String
            let kind: String
            let host: String
            let state: String?
        }

        private static let key = "a-key-that-nobody-may-read"

        private static func text(_ url: String) -> String {
            """
            kind: http
            baseURL: \(url)
            pageOrigins: [https://scan.example.com]
            secrets: {key: \(key)}
            headers: {X-API-Key: "{{secret.key}}"}
            begin:
              path: /scans
              body: '{"user": "{{account}}", "seconds": {{deadlineSeconds}}}'
              reference: /id
              page: /url
            check:
              path: /scans/{{reference}}
              reference: /id
              status: [/status]
              verdicts: {wait: processing, pass: approved, fail: not_matched}
            cancel:
              path: /scans/{{reference}}
            """
        }

        /// The scripted provider: what each scan's status is, and whether it hands out pages of its own.
        private final class Script: Sendable {
            let status = Mutex("wait")
            let origin = Mutex("https://scan.example.com")
            let begun = Mutex(0)

            func answer(_ request: ScriptedRequest) -> ScriptedReply {
                guard request.header("X-API-Key") == key else { return .json("{}", status: 401) }
                guard request.method != "POST" else {
                    let number = begun.withLock {
                        $0 += 1; return $0
                    }
                    let page = origin.withLock { $0 } + "/p/\(number)"
                    return .json(#"{"id":"scan-\#(number)","url":"\#(page)"}"#, status: 201)
                }
                let id = request.path.split(separator: "/").last ?? ""
                return .json(#"{"id":"\#(id)","status":"\#(status.withLock { $0 })"}"#)
            }
        }

        private static func run(
            _ play: @escaping @Sendable (Fixture, ScriptedServer, Script) async throws -> Void
        )
            async throws
        {
            let script = Script()
            try await ScriptedServer.run {
                script.answer($0)
            } during: { server in
                try await TestFolder.use { folder in
                    let file = folder["described.yaml"]
                    try text(server.url).write(toFile: file, atomically: true, encoding: .utf8)
                    let settings = ["providers.described=\(file)", "faceLogin.provider=described"]
                    try await Fixture.run(settings) { fixture in
                        try await fixture.daemon.order([
                            "accounts", "add", "--email", "ada@example.com", "--enroll", "described",
                            "--provider-account", "person-7",
                        ])
                        try await play(fixture, server, script)
                    }
                }
            }
        }

        @Test func `a person signs in by a provider without code`() async throws {
            try await Self.run { fixture, server, script in
                let login = try await fixture.app.begin("ada@example.com")
                try await fixture.app.waitFor(hint: "processing", login)
                let begin = try #require(server.requests.first)
                #expect(begin.text.hasPrefix(#"{"user": "person-7", "seconds": 17"#))
                script.status.withLock { $0 = "pass" }
                let answer = try await fixture.app.follow(login)
                #expect(answer.status == .completed && answer.accessToken != nil)
                #expect(fixture.daemon.program?.log.error.contains(Self.key) == false)

                script.status.withLock { $0 = "fail" }
                let refused = try await fixture.app.follow(try await fixture.app.begin("ada@example.com"))
                #expect(refused.code == "not_matched")
            }
        }

        @Test func `a login that is cancelled ends its scan at the provider`() async throws {
            try await Self.run { fixture, server, _ in
                let login = try await fixture.app.begin("ada@example.com")
                try await fixture.app.waitFor(hint: "processing", login)
                #expect(try await fixture.app.cancel(login).status == 200)
                try await eventually("the scan to be ended") {
                    server.requests.contains { $0.method == "DELETE" && $0.path == "/scans/scan-1" }
                }
            }
        }

        // T-053, T-056
        @Test func `a page on another origin reaches no browser, and a status without a row approves nobody`()
            async throws
        {
            try await Self.run { fixture, _, script in
                script.origin.withLock { $0 = "https://scan.example.com.evil.example" }
                let login = try await fixture.app.initiate("ada@example.com")
                #expect(try await fixture.app.open(login) != 303)
                script.origin.withLock { $0 = "https://scan.example.com" }
                script.status.withLock { $0 = "PASS" }
                let answer = try await fixture.app.follow(try await fixture.app.begin("ada@example.com"))
                #expect(answer.code == "provider_error")
            }
        }

        @Test func `provider list and provider test`() async throws {
            try await Self.run { fixture, server, script in
                let daemon = fixture.daemon
                let listed = try await daemon.order(["provider", "list", "--json"]).json([Provider].self)
                #expect(listed.map(\.name) == ["described", "mock"])
                #expect(listed.map(\.kind) == ["http", "authid"])
                #expect(listed.allSatisfy { $0.state == "ok" })
                #expect(server.url.hasSuffix(listed.first?.host ?? "-"))

                let dry = try await daemon.order(["provider", "test", "described"]).output
                #expect(dry.contains("POST \(server.url)/scans") && dry.contains("X-API-Key: <secret.key>"))
                #expect(!dry.contains(Self.key))
                #expect(server.requests.isEmpty)

                script.status.withLock { $0 = "pass" }
                let live = try await daemon.command("provider", "test", "described", "--live", "--account", "person-7")
                #expect(live.code == 0, "\(live)")
                #expect(live.output.contains("/status: pass") && live.output.contains("verdict: approved"))
                #expect(!live.output.contains(Self.key) && !live.output.contains("/p/1"))
                #expect(live.output.contains("begun twice: two scans"))
                #expect(server.requests.map(\.method) == ["POST", "POST", "DELETE", "GET", "DELETE"])

                script.status.withLock { $0 = "odd" }
                let odd = try await daemon.command("provider", "test", "described", "--live", "--account", "person-7")
                #expect(odd.code == 1 && odd.complaint.contains("no row of verdicts fits"), "\(odd)")

                let mock = try await daemon.command(
                    "provider",
                    "test",
                    "mock",
                    "--live",
                    "--account",
                    "no-such-account"
                )
                // The mock knows no such account, and says so; nobody is scanned.
                #expect(mock.code == 1 && mock.complaint.contains("The provider refused"), "\(mock)")
                #expect(try await daemon.command("provider", "test", "nobody").code == 1)

                #expect(try await daemon.stop() == .exited(0))
                let stopped = try await daemon.order(["provider", "list", "--json"]).json([Provider].self)
                #expect(stopped.map(\.state) == [nil, nil])
            }
        }
    }
}
