import FaceProviders
import Kernel
import Outbound
import SettingsFixture
import Testing

@testable import Settings

struct SettingsHTTPTests {
    private static let file = "config/providers/mock.yaml"
    private static let key = "providers.mock"

    /// A described provider that holds, in the place of the mock.
    private static let good = """
        kind: http
        baseURL: https://api.example.com/
        pageOrigins: [https://Scan.example.com/]
        secrets: {key: env:KEY_VALUE}
        headers: {X-Key: "{{secret.key}}"}
        begin:
          path: /scans
          body: '{"user": "{{account}}"}'
          reference: /id
          page: /url
        check:
          path: /scans/{{reference}}
          reference: /id
          status: [/status]
          verdicts: {"ok": approved, "no": declined}
        """

    private func fixture(_ text: String) -> SettingsFixture {
        var fixture = SettingsFixture.minimal()
        fixture.files["/srv/vestibule-test/config/providers/mock.yaml"] = (text, 0o644)
        return fixture
    }

    /// The good one with one line changed.
    private func changed(_ line: String, to other: String) -> SettingsFixture {
        fixture(Self.good.replacing(line, with: other))
    }

    private func described(_ fixture: SettingsFixture) throws -> HTTPTemplateConfiguration {
        guard case .http(let settings)? = try fixture.load().settings.providers["mock"]?.adapter else {
            throw SettingsErrors(findings: [])
        }
        return settings
    }

    @Test func `a minimal HTTP provider file has the defaults`() throws {
        let settings = try described(fixture(Self.good))
        #expect(fixture(Self.good).faults() == [])
        #expect(settings.baseURL == "https://api.example.com")
        #expect(settings.pageOrigins == ["https://scan.example.com"])
        #expect(settings.auth == .none)
        #expect(settings.begin.request.method == .post)
        #expect(settings.check.request.method == .get)
        #expect(settings.calls.requestTimeout == .seconds(10))
        #expect(try fixture(Self.good).load().warnings.map(\.key) == ["clients"])
        #expect(try fixture(Self.good).load().settings.scanOrigins == ["https://scan.example.com"])
        #expect(settings.check.verdicts.rows.map(\.text) == ["ok", "no"])
        #expect(settings.cancel == nil)
    }

    @Test func `what is missing is named, all at once`() {
        let faults = fixture("kind: http\nbegin: {}\ncheck: {}").faults()
        let missing = faults.map { $0.drop { $0 != " " }.dropFirst().prefix { $0 != ":" } }
        #expect(
            missing == [
                "\(Self.key).baseURL", "\(Self.key).pageOrigins", "\(Self.key).begin", "\(Self.key).begin.path",
                "\(Self.key).begin.reference", "\(Self.key).check.path", "\(Self.key).check.reference",
                "\(Self.key).check.status", "\(Self.key).check.verdicts",
            ]
        )
    }

    @Test func `every fault has its file, its line and its key`() {
        let text = """
            kind: http
            baseURL: http://api.example.com
            pageOrigins: [https://scan.example.com/page, http://scan.example.com]
            secrets: {Key: env:KEY_VALUE, other: env:NOWHERE}
            headers: {Host: x, "a b": y, Authorization: Bearer abc}
            begin:
              path: scans/{{reference}}
              body: '{"user": {{account}}}'
              reference: id
              page: /url
              pageURL: https://evil.example/{{reference}}
              colour: red
            check:
              path: /scans/{{refrence}}
              sign: x
              reference: /id
              status: [/status, /result]
              verdicts: {ok: approved, "ok, *": approved, "a, b": aproved}
              require:
                alive: {pointer: /c, atLeast: lots}
                both: {pointer: /c, atLeast: 1, equals: x}
                none: {pointer: /c, otherwise: approved}
            """
        let told = fixture(text).faults()
        let expected: [(Int, String, String)] = [
            (2, "baseURL", "is plain http"), (3, "pageOrigins[0]", "is not an origin"),
            (3, "pageOrigins[1]", "is plain http"), (4, "secrets.Key", "is not a name"),
            (4, "secrets.other", "the environment has no variable NOWHERE"),
            (5, "headers.Authorization", "is a secret in plain text"), (5, "headers.Host", "the client itself writes"),
            (5, "headers.a b", "is not the name of a header"), (6, "begin", "has page and pageURL"),
            (7, "begin.path", "{{reference}} has no value here"), (8, "begin.body", "only numbers are allowed"),
            (9, "begin.reference", "is not a JSON pointer"), (11, "begin.pageURL", "one of pageOrigins"),
            (12, "begin.colour", "unknown key"), (14, "check.path", "Did you mean {{reference}}?"),
            (15, "check.sign", "is only for auth hmac"), (18, "check.verdicts.a, b", "is not one of"),
            (18, "check.verdicts.ok", "one value for each of the 2"), (18, "check.verdicts.ok, *", "without naming"),
            (20, "check.require.alive.atLeast", "is not a number"), (21, "check.require.both", "one of atLeast"),
            (22, "check.require.none", "one of atLeast"), (22, "check.require.none.otherwise", "is not one of"),
        ]
        for (line, key, part) in expected {
            let start = "\(Self.file):\(line): \(Self.key).\(key): "
            #expect(told.contains { $0.hasPrefix(start) && $0.contains(part) }, "\(start)\(part)")
        }
        #expect(told.count == expected.count, "\(told.joined(separator: "\n"))")
    }

    @Test(arguments: [
        (#"{"ok": approved, "no": declined}"#, #"{"no": declined}"#, "has no row with the verdict approved"),
        (#"{"ok": approved, "no": declined}"#, #"{"*": approved}"#, "approves without naming every value"),
        (#"{"ok": approved, "no": declined}"#, #"{"~": approved}"#, "approves without naming every value"),
        (#"{"ok": approved, "no": declined}"#, "{}", "takes names"), ("[/status]", "[]", "is empty"),
        ("[/status]", "[status]", "is not a JSON pointer"),
        ("{{secret.key}}", "{{secret.other}}", "not one of the secrets (key)"),
        ("{{secret.key}}", "{{secretkey}}", "is not a variable"),
        (#""{{account}}"}"#, #""{{account}}""#, "is not JSON"),
        ("/scans/{{reference}}", "/scans/{{secret.key}}", "{{secret.key}} has no value here"),
        ("page: /url", "pageURL: https://scan.example.com{{reference}}", "does not begin with one of pageOrigins"),
        ("page: /url", "pageURL: https://scan.example.com/{{found.x}}", "{{found.x}} is not in find"),
        ("page: /url", "page: /url\n  find: {x: /y}", "is for pageURL"),
        ("page: /url", "page: /url\n  headers: {x-key: b}", "is written twice"),
        ("kind: http", "kind: http\nauth: {kind: digest}", "is not one of none, basic"),
        ("kind: http", "kind: http\nauth: {token: env:KEY_ID}", "kind: is missing"),
        ("kind: http", "kind: http\nauth: {kind: bearer}", "token: is missing"),
        ("kind: http", "kind: http\nauth: {kind: bearer, token: env:KEY_ID, user: x}", "unknown key"),
        ("kind: http", "kind: http\nauth: {kind: hmac, header: Host, key: env:KEY_ID}", "the client itself writes"),
        ("kind: http", "kind: http\nauth: {kind: hmac, header: X, key: env:KEY_ID, value: x}", "has no {{signature}}"),
        (
            "kind: http", "kind: http\nauth: {kind: hmac, header: X, key: env:KEY_ID, value: 'signature={{time}}'}",
            "has no {{signature}}"
        ),
        (
            "kind: http", "kind: http\nauth: {kind: hmac, header: X, key: env:KEY_ID, sign: '{{account}}'}",
            "has no value"
        ),
        ("kind: http", "kind: http\nconnectTimeout: 20s", "is longer than requestTimeout"),
    ])
    func `a fault keeps the daemon from starting`(line: String, other: String, part: String) {
        let faults = changed(line, to: other).faults()
        #expect(faults.contains { $0.contains(part) }, "\(faults)")
    }

    // T-053
    @Test(arguments: [
        (#"  body: '{"user": "{{account}}"}'"#, "", 6, "begin", "names {{account}} nowhere"),
        (#"{"user": "{{account}}"}"#, #"{"user": "somebody"}"#, 6, "begin", "names {{account}} nowhere"),
        (#"{"user": "{{account}}"}"#, #"{"user": "account"}"#, 6, "begin", "names {{account}} nowhere"),
        ("/scans/{{reference}}", "/scans/newest", 11, "check", "names {{reference}} nowhere"),
        ("/scans/{{reference}}", "/scans/reference?at={{time}}", 11, "check", "names {{reference}} nowhere"),
        ("check:\n", "cancel: {path: /scans/all}\ncheck:\n", 11, "cancel", "names {{reference}} nowhere"),
        ("  reference: /id\n  status", "  status", 11, "check.reference", "is missing"),
        ("  reference: /id\n  status", "  unnamedAnswer: false\n  status", 11, "check.reference", "is missing"),
        (
            "  reference: /id\n  status", "  reference: /id\n  unnamedAnswer: true\n  status", 14,
            "check.unnamedAnswer", "is for answers without an id"
        ),
    ])
    func `attack: a template without the person or the scan is refused at its line`(
        line: String,
        other: String,
        at number: Int,
        key: String,
        part: String
    ) {
        let faults = changed(line, to: other).faults()
        let start = "\(Self.file):\(number): \(Self.key).\(key)"
        #expect(faults.contains { $0.hasPrefix(start) && $0.contains(part) }, "\(start) \(faults)")
        #expect(faults.count == 1, "\(faults)")
    }

    @Test func `the account may stand in the path or a header, and an answer without an id is said to be one`() throws {
        for change in [
            (#"  path: /scans\n  body: '{"user": "{{account}}"}'"#, "  path: /people/{{account}}/scans"),
            (#"body: '{"user": "{{account}}"}'"#, #"headers: {X-User: "{{account}}"}"#),
            ("  reference: /id\n  status", "  unnamedAnswer: true\n  status"),
        ] {
            let line = change.0.replacing("\\n", with: "\n")
            #expect(Self.good.contains(line))
            #expect(changed(line, to: change.1).faults() == [], "\(change)")
        }
        let settings = try described(changed("  reference: /id\n  status", to: "  unnamedAnswer: true\n  status"))
        #expect(settings.check.reference == nil && settings.check.isAnswerUnnamed)
    }

    @Test(arguments: [
        ("{kind: bearer, token: env:KEY_ID}", "Authorization"), ("{kind: bearer, token: env:KEY_ID}", "authorization"),
        ("{kind: basic, user: env:KEY_ID, password: env:KEY_ID}", "Authorization"),
        (
            "{kind: oauth, tokenURL: https://a.example/t, clientID: env:KEY_ID, clientSecret: env:KEY_ID}",
            "Authorization"
        ),
        ("{kind: hmac, header: X-Sign, key: env:KEY_ID}", "x-sign"),
    ])
    func `attack: a template header that auth also sets is refused`(auth: String, header: String) {
        for place in ["headers", "begin", "check"] {
            var text = Self.good + "\nauth: \(auth)"
            let value = #"\#(header): "{{secret.key}}""#
            if place == "headers" {
                text = text.replacing("headers: {", with: "headers: {\(value), ")
            } else {
                text = text.replacing("\(place):\n", with: "\(place):\n  headers: {\(value)}\n")
            }
            let key = place == "headers" ? "headers" : "\(place).headers"
            let faults = fixture(text).faults()
            #expect(
                faults.contains { $0.contains("\(Self.key).\(key).\(header): is written twice: auth sets it too") },
                "\(faults)"
            )
        }
    }

    @Test(arguments: [
        "https://evil.example/scans", "//evil.example/https://x", "@evil.example/", ":8443/scans", "scans",
    ])
    func `attack: a template path that leaves baseURL is refused`(_ path: String) {
        let faults = changed("path: /scans\n", to: "path: '\(path)'\n").faults()
        let isCaught = faults.contains { $0.contains("begin.path: ") }
        #expect(isCaught, "\(faults)")
    }

    @Test func `the address of tokens is kept as it is written`() throws {
        for url in ["https://a.example/oauth/token/", "https://a.example/oauth/token", "https://a.example/"] {
            let settings = try described(
                fixture(
                    Self.good
                        + "\nauth: {kind: oauth, tokenURL: '\(url)', clientID: env:KEY_ID, clientSecret: env:KEY_ID}"
                )
            )
            guard case .clientCredentials(let credentials) = settings.auth else {
                Issue.record("\(settings.auth)")
                return
            }
            #expect(credentials.tokenURL == url)
        }
        for url in ["http://a.example/t", "https://a.example/t#x", "https://u:p@a.example/t"] {
            let text =
                Self.good + "\nauth: {kind: oauth, tokenURL: '\(url)', clientID: env:KEY_ID, clientSecret: env:KEY_ID}"
            #expect(fixture(text).faults().contains { $0.contains("auth.tokenURL: ") }, "\(url)")
        }
    }

    @Test func `production takes no plain http, even on this machine`() {
        let plain = Self.good.replacing("https://", with: "http://").replacing("api.example.com", with: "127.0.0.1:1")
            .replacing("Scan.example.com", with: "127.0.0.1:2")
        #expect(fixture(plain).faults() == [])
        let faults = fixture(plain).setting("mode=production").faults()
        #expect(faults.contains { $0.contains("baseURL") && $0.contains("Production takes https") })
        #expect(faults.contains { $0.contains("pageOrigins") && $0.contains("Production takes https") })
    }

    @Test func `secrets are shown by nothing, and an override reaches them`() throws {
        var fixture = fixture(
            Self.good
                + "\nauth: {kind: oauth, tokenURL: https://a.example/t, clientID: env:KEY_ID, clientSecret: env:HUSH}"
        )
        fixture.environment["HUSH"] = "do-not-print"
        fixture.environment["OTHER_KEY"] = "another"
        fixture.environment["VESTIBULE_PROVIDERS__MOCK__SECRETS__KEY"] = "env:OTHER_KEY"
        let loaded = try fixture.load()
        guard case .http(let settings)? = loaded.settings.providers["mock"]?.adapter else {
            Issue.record("the mock is no described provider")
            return
        }
        #expect(settings.secrets.first?.value.expose() == "another")
        for text in [ConfigPrinter(loaded: loaded).yaml(), try ConfigPrinter(loaded: loaded).json()] {
            #expect(text.contains("env:OTHER_KEY") && text.contains("env:HUSH"))
            #expect(!text.contains("do-not-print") && !text.contains("another") && !text.contains("a-value"))
        }
    }

    @Test func `what is printed means the same when it is read again`() throws {
        let loaded = try fixture(Self.good).load()
        var again = SettingsFixture(ConfigPrinter(loaded: loaded).yaml())
        again.environment = ["KEY_ID": "an-id", "KEY_VALUE": "a-value"]
        #expect(again.faults() == [])
        #expect(try again.load().settings.providers == loaded.settings.providers)
    }
}
