import FaceProviders
import Kernel
import Operations
import ScriptedServer
import Settings
import SettingsFixture
import Synchronization
import Testing

@testable import Vestibule

struct ProviderDryRunTests {
    private static let secret = "nobody-may-read-this"

    /// A config whose one provider is that file, with these lines changed.
    private func dryRun(_ text: String, _ name: String = "mock") throws -> ProviderDryRun {
        var fixture = SettingsFixture.minimal()
        fixture.files["/srv/vestibule-test/config/providers/mock.yaml"] = (text, 0o644)
        fixture.environment["HUSH"] = Self.secret
        let settings = try fixture.load().settings
        let environment = Environment(
            now: { Instant(seconds: 1_767_225_600) },
            clock: LiveClock(),
            randomBytes: { Array(repeating: 7, count: $0) }
        )
        return ProviderDryRun(
            name: name,
            try #require(settings.providers["mock"]),
            publicURL: settings.publicURL,
            environment: environment
        )
    }

    private func text(at url: String = "https://api.example.com", auth: String, verdicts: String) -> String {
        """
        kind: http
        baseURL: \(url)
        pageOrigins: [https://scan.example.com]
        connectTimeout: 30s
        requestTimeout: 60s
        secrets: {key: env:HUSH}
        auth: \(auth)
        begin:
          path: /scans
          headers: {X-Key: "{{secret.key}}"}
          body: '{"user": "{{account}}", "until": "{{deadlineTime}}"}'
          reference: /id
          page: /url
        check:
          path: /scans/{{reference}}
          reference: /id
          status: [/status]
          verdicts: \(verdicts)
          require: {alive: {pointer: /score, atLeast: 90, otherwise: liveness_failed}}
        cancel: {path: "/scans/{{reference}}"}
        """
    }

    private static let verdicts = "{ok: approved, no: declined}"

    @Test(arguments: [
        ("{kind: basic, user: env:HUSH, password: env:HUSH}", "Authorization: Basic <secret>"),
        ("{kind: bearer, token: env:HUSH}", "Authorization: Bearer <secret>"),
        ("{kind: hmac, header: X-Sign, key: env:HUSH, value: 'v1={{signature}}'}", "X-Sign: v1=<signature>"),
        (
            "{kind: oauth, tokenURL: https://api.example.com/t, clientID: env:HUSH, clientSecret: env:HUSH, credentials: body}",
            "Authorization: Bearer <token>"
        ),
    ])
    func `every request is shown, and no secret of it`(auth: String, header: String) throws {
        let report = try dryRun(text(auth: auth, verdicts: Self.verdicts)).dry(account: "person-7")
        let lines = report.lines
        #expect(report.problem == nil)
        #expect(lines.contains("begin:  POST https://api.example.com/scans"))
        #expect(lines.contains("check:  GET https://api.example.com/scans/REFERENCE"))
        #expect(lines.contains("cancel:  DELETE https://api.example.com/scans/REFERENCE"))
        #expect(lines.contains("  X-Key: <secret.key>"))
        #expect(lines.contains("  \(header)"), "\(lines)")
        #expect(lines.contains(#"  {"user": "person-7", "until": "2026-01-01T00:03:00Z"}"#))
        #expect(!lines.joined().contains(Self.secret))
        #expect(lines.contains { $0.hasPrefix("token:  POST") } == auth.contains("oauth"))
    }

    @Test func `each row is printed with its result, and so are the answers that approve nobody`() throws {
        let report = try dryRun(text(auth: "{}", verdicts: Self.verdicts)).dry()
        #expect(
            report.verdicts.map { "\($0.answer) → \($0.verdict)" } == [
                "status ok → approved", "status no → declined", "ok, alive is not met → liveness_failed",
                "ok, alive is missing → unrecognised", "ok, of another scan → nonsense",
                "a status without a row → unrecognised",
            ]
        )
    }

    @Test func `a row that an earlier one hides is a problem`() throws {
        let report = try dryRun(text(auth: "{}", verdicts: "{'*': processing, ok: approved}")).dry()
        #expect(report.problem?.contains("status ok") == true)
        #expect(report.exitCode == 1)
    }

    @Test func `an account that can't be sent is reported`() throws {
        let template = text(auth: "{}", verdicts: Self.verdicts).replacing("{{secret.key}}", with: "{{account}}")
        #expect(throws: ExitError.self) { try dryRun(template).dry(account: "a\nb") }
    }

    @Test func `authID's steps are shown as any other's, and no secret of them`() throws {
        let report = try dryRun(SettingsFixture.mock).dry(account: "person-7")
        let lines = report.lines
        #expect(report.problem == nil)
        #expect(report.requests.map(\.name) == ["token", "begin", "check"])
        #expect(lines.contains("  Authorization: Basic <secret>"))
        #expect(lines.contains("  Authorization: Bearer <token>"))
        #expect(lines.contains { $0.hasPrefix("check:  GET ") && $0.hasSuffix("/transactions/REFERENCE/status") })
        #expect(lines.contains { $0.contains("person-7") && $0.contains("Verify_Identity") })
        #expect(report.verdicts.map(\.verdict).contains("approved"))
        #expect(report.verdicts.filter { $0.verdict == "approved" }.count == 1)
        #expect(report.verdicts.contains { $0.answer.contains("another transaction") && $0.verdict == "nonsense" })
        #expect(!lines.joined().contains("a-value") && !lines.joined().contains("an-id"))
    }

    @Test func `attack: a dry run prints no control characters and no secrets from a provider's answers`() async throws
    {
        let escape = #"\u001b[2J\u001b]0;owned\u0007\u202eevil\n\r"#
        let long = String(repeating: "x", count: 5000)
        let answers = [
            #"{"id":"s1","status":"\#(escape)"}"#, #"{"id":"\#(escape)","status":"ok"}"#,
            #"{"id":"s1","status":"ok \#(Self.secret)"}"#, #"{"id":"s1","status":"\#(long)"}"#,
        ]
        for answer in answers {
            try await ScriptedServer.run { request in
                request.method == "POST" ? .json(#"{"id":"s1","url":"https://scan.example.com/p"}"#) : .json(answer)
            } during: { server in
                let report = try await dryRun(text(at: server.url, auth: "{}", verdicts: Self.verdicts)).live(
                    "person-7"
                )
                #expect(report.live != nil && report.problem != nil)
                let printed = report.lines.joined(separator: "\n") + (report.problem ?? "")
                let isPlain = printed.unicodeScalars.allSatisfy { $0 == "\n" || ($0.value >= 0x20 && $0 != "\u{202E}") }
                #expect(isPlain && !printed.contains("\u{7F}"))
                #expect(!printed.contains(Self.secret))
                #expect(report.lines.allSatisfy { $0.count < 400 })
                #expect((report.live?.found.values.map(\.count).max() ?? 0) <= 120)
            }
        }
    }

    @Test(arguments: [
        (#"{"id":"s1","status":"ok","score":95}"#, 200, 0, "approved"),
        (#"{"id":"s1","status":"ok","score":5}"#, 200, 0, "liveness_failed"),
        (#"{"id":"s1","status":"ok"}"#, 200, 1, "unrecognised"),
        (#"{"id":"s2","status":"ok"}"#, 200, 1, "nonsense"),
        ("{}", 404, 1, "unknown_reference"), ("{}", 503, 69, nil), ("{}", 400, 1, nil),
    ])
    func `live: two scans, one check, both ended`(body: String, status: Int, code: Int, verdict: String?) async throws {
        let begun = Mutex(0)
        try await ScriptedServer.run { request in
            switch request.method {
            case "POST":
                let number = begun.withLock {
                    $0 += 1
                    return $0
                }
                return .json(#"{"id":"s\#(number)","url":"https://scan.example.com/p?s=hidden"}"#)
            case "GET": return .json(body, status: status)
            default: return .json("{}")
            }
        } during: { server in
            let report = try await dryRun(text(at: server.url, auth: "{}", verdicts: Self.verdicts)).live("person-7")
            #expect(report.problem == nil ? code == 0 : report.exitCode == code, "\(report.problem ?? "-")")
            #expect(report.live?.verdict == verdict)
            #expect(!report.lines.joined().contains("hidden"))
            #expect(server.count("POST", endingIn: "/scans") == 2)
            #expect(server.requests.filter { $0.method == "DELETE" }.map(\.path) == ["/scans/s2", "/scans/s1"])
            #expect(report.live?.isNewEachTime == (verdict == nil ? nil : true))
        }
    }

    @Test func `live: a provider that returns its open session again is reported, and its session ended once`()
        async throws
    {
        try await ScriptedServer.run { request in
            request.method == "POST"
                ? .json(#"{"id":"s1","url":"https://scan.example.com/p"}"#)
                : .json(#"{"id":"s1","status":"no"}"#)
        } during: { server in
            let report = try await dryRun(text(at: server.url, auth: "{}", verdicts: Self.verdicts)).live("person-7")
            #expect(report.exitCode == 1 && report.problem?.contains("Both begins gave the same scan") == true)
            #expect(report.live?.isNewEachTime == false && report.live?.verdict == "declined")
            #expect(report.lines.contains("  begun twice: one scan for both"))
            #expect(server.requests.filter { $0.method == "DELETE" }.map(\.path) == ["/scans/s1"])
        }
    }

    @Test func `live: a provider that begins nothing`() async throws {
        for (status, code) in [(401, 69), (422, 1)] {
            try await ScriptedServer.run { _ in
                .json("{}", status: status)
            } during: { server in
                let report = try await dryRun(text(at: server.url, auth: "{}", verdicts: Self.verdicts)).live(
                    "person-7"
                )
                #expect(report.exitCode == Int32(code) && report.problem != nil && report.live == nil)
            }
        }
    }

    @Test(arguments: [
        ([], "The provider veriff is unknown: the config has no provider."),
        (["mock"], "The provider veriff is unknown: the only known one is mock."),
        (["mock", "standby"], "The provider veriff is unknown: the config has mock and standby."),
        (["a", "b", "c"], "The provider veriff is unknown: the config has a, b and c."),
    ])
    func `an unknown provider is refused with the known names`(_ known: [String], _ sentence: String) {
        #expect(ProviderCommand.Test.unknown("veriff", among: known) == sentence)
    }
}
