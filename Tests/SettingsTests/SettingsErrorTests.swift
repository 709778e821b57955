import SettingsFixture
import Testing

@testable import Settings

struct SettingsErrorTests {
    @Test func `all faults are reported at once, in the order of files and lines`() {
        var fixture = SettingsFixture(
            """
            faceLogin:
              lifetime: 3x
              provider: mock
              polInterval: 2s
            listen:
              port: 70000
              behindProxy: yes
            nonsense: 1
            clients:
              Shop: {}
            providers: {mock: providers/mock.yaml}
            """
        )
        fixture.files["/srv/vestibule-test/config/providers/mock.yaml"]?.text = """
            kind: authid
            keyID: env:NOWHERE
            keyValue: [1]
            baseUrl: http://id.example.com
            """
        #expect(
            fixture.faults() == [
                "config/providers/mock.yaml: providers.mock.baseURL: is missing. "
                    + "Write an https URL, or an http one on this machine",
                "config/providers/mock.yaml:2: providers.mock.keyID: the environment has no variable NOWHERE",
                "config/providers/mock.yaml:3: providers.mock.keyValue: takes one value: env:NAME or file:PATH",
                "config/providers/mock.yaml:4: providers.mock.baseUrl: unknown key. Did you mean baseURL?",
                #"config/vestibule.yaml:2: faceLogin.lifetime: "3x" is not a duration. "#
                    + "Write a number and a unit, like 90s, 15m or 30d",
                "config/vestibule.yaml:4: faceLogin.polInterval: unknown key. Did you mean pollInterval?",
                #"config/vestibule.yaml:6: listen.port: "70000" is out of range. It takes 0 to 65535"#,
                #"config/vestibule.yaml:7: listen.behindProxy: "yes" is neither true nor false"#,
                "config/vestibule.yaml:8: nonsense: unknown key. Known here: mode, listen, publicURL, issuer, tls, "
                    + "log, storage, clients, surfaces, oauth, accounts, passkeys, faceLogin, providers, "
                    + "upstreams, sampleData, banks, wallet, limits, mail, secrets, retention, audit, metrics, securityTxt, "
                    + "theme, texts",
                "config/vestibule.yaml:10: clients.Shop: is not a name. "
                    + "A name has 1 to 64 of a-z, 0-9, - and _, and begins with a letter or digit",
            ]
        )
    }

    @Test func `keys that are there twice are found with everything else`() {
        let fixture = SettingsFixture.minimal(
            """
            listen:
              port: 1
              host: localhost
              port: 2
              port: x
            log: {level: loud}
            log: {access: true}
            """
        )
        #expect(
            fixture.faults() == [
                "config/vestibule.yaml:6: listen.port: is written twice. The first is on line 4",
                #"config/vestibule.yaml:7: listen.port: "x" is not a whole number. Write only digits, like 0"#,
                "config/vestibule.yaml:7: listen.port: is written twice. The first is on line 4",
                "config/vestibule.yaml:9: log: is written twice. The first is on line 8",
            ]
        )
    }

    @Test func `keys that are there twice are found whatever ends the lines`() {
        let fixture = SettingsFixture.minimal("log:\r\n  level: info\r\n  level: debug\r\nnonsens: 1\r\n")
        #expect(
            fixture.faults().map { $0.prefix(44) } == [
                "config/vestibule.yaml:5: log.level: is writt", "config/vestibule.yaml:6: nonsens: unknown ke",
            ]
        )
    }

    @Test(
        arguments: [
            ("listen: {port: [", 4), ("listen:\n\tport: 1", 4), ("a: b: c", 3), ("log: {x: *gone}", 3),
            ("\"mode\": laptop\n\"mode\": laptop", 3), ("mode: laptop\nlog: {level: in\u{0}fo}", 4),
            ("publicURL: \"\u{1B}[2J\"", 3), ("mode: laptop\n\u{FFFE}", 4),
        ])
    func `text that is not YAML names its line and shows none of it`(text: String, line: Int) throws {
        let faults = SettingsFixture.minimal(text + " # hush").faults()
        #expect(faults.count == 1)
        let fault = try #require(faults.first)
        #expect(fault.hasPrefix("config/vestibule.yaml:\(line): not YAML: "))
        #expect(!fault.contains("hush"))
    }

    // CWE-776: nine levels of nine aliases each are four hundred million values, of half a kilobyte.
    @Test func `attack: a file that expands to over 100,000 values by aliases is refused at its key`() {
        var lines = ["a: &a [\(Array(repeating: "x", count: 9).joined(separator: ", "))]"]
        for (name, inner) in zip("bcdefghi", "abcdefgh") {
            let aliases = Array(repeating: "*\(inner)", count: 9).joined(separator: ", ")
            lines.append("\(name): &\(name) [\(aliases)]")
        }
        #expect(
            SettingsFixture.minimal(lines.joined(separator: "\n")).faults() == [
                "config/vestibule.yaml:8: f: expands to more than 100000 values because of aliases (*name). "
                    + "Write values instead of aliases"
            ]
        )
    }

    @Test func `attack: a provider file's aliases are counted by file, and the error names its line`() {
        var fixture = SettingsFixture.minimal()
        let list = "[\(Array(repeating: "x", count: 400).joined(separator: ", "))]"
        let aliases = "[\(Array(repeating: "*a", count: 400).joined(separator: ", "))]"
        fixture.files["/srv/vestibule-test/config/providers/mock.yaml"]?.text =
            "kind: authid\na: &a \(list)\nb: \(aliases)\n"
        let faults = fixture.faults()
        #expect(faults.count == 1)
        #expect(
            faults.first?.hasPrefix("config/providers/mock.yaml:3: providers.mock.b: expands to more than") == true,
            "\(faults)"
        )
    }

    @Test func `an alias stands for what it names`() {
        let fixture = SettingsFixture.minimal("clients: {a: &a {verifier: required}, b: *a}")
        #expect(fixture.faults() == [])
    }

    @Test(arguments: ["", "# A comment.\n", "---\n"])
    func `a byte order mark before the first line is no part of it`(first: String) {
        var fixture = SettingsFixture.minimal("log: {level: debug}\nnonsens: 1\nlog: {level: info}")
        let text = fixture.files["/srv/vestibule-test/config/vestibule.yaml"]?.text ?? ""
        let before = first.isEmpty ? 0 : 1
        for mark in ["\u{FEFF}", ""] {
            fixture.files["/srv/vestibule-test/config/vestibule.yaml"]?.text = mark + first + text
            let faults = fixture.faults().map { $0.prefix(45) }
            #expect(
                faults
                    == [
                        "config/vestibule.yaml:\(before + 4): nonsens: unknown key",
                        "config/vestibule.yaml:\(before + 5): log: is written twice. The",
                    ].map { $0.prefix(45) }
            )
        }
        fixture.files["/srv/vestibule-test/config/vestibule.yaml"]?.text = "\u{FEFF}" + SettingsFixture.minimalText
        #expect(fixture.faults() == [])
    }

    @Test func `a second document is refused`() {
        #expect(SettingsFixture.minimal("---\nmode: production").faults().contains { $0.contains("not YAML") })
    }

    @Test func `a file that is not there is one fault, without what follows from it`() {
        var fixture = SettingsFixture.minimal()
        fixture.files["/srv/vestibule-test/config/providers/mock.yaml"] = nil
        #expect(
            fixture.setting("providers.mock.requestTimeout=4s").faults() == [
                "config/vestibule.yaml:2: providers.mock: the file config/providers/mock.yaml does not exist"
            ]
        )
        fixture.files = [:]
        #expect(fixture.faults() == ["config/vestibule.yaml: the file does not exist"])
    }

    @Test func `an empty file lacks a provider`() {
        #expect(
            SettingsFixture("# nothing\n").setting("log.level=debug").faults() == [
                "config/vestibule.yaml: faceLogin.provider: is missing. Write a name"
            ]
        )
    }

    @Test(
        arguments: [
            ("surfaces: {bmbs: {}}", "surfaces.bmbs: unknown name. Did you mean bbms?"),
            (
                "clients: {a: {surfaces: [mobile, web]}}",
                #"clients.a.surfaces[1]: "web" is not one of bbms, mobile, yapt, passkeys"#
            ),
            (
                "clients: {a: {surfaces: [mobile]}}\nsurfaces: {bbms: {enabled: true, client: a}}",
                "clients.a.surfaces: leaves out bbms, where surfaces.bbms.client names it"
            ),
            (
                "clients: {a: {default: true, surfaces: []}}\nsurfaces: {bbms: {enabled: true}}",
                "clients.a.surfaces: leaves out bbms, where it is the default client"
            ),
            (
                "surfaces: {bbms: {client: shop}}",
                #"surfaces.bbms.client: "shop" is not one of the clients (none is configured)"#
            ),
            (
                "clients: {a: {default: true}, b: {default: true}}",
                "clients.b.default: only one client can be the default, and a is"
            ),
            ("clients: [a]", "clients: takes names with keys below each, not a value"),
            (
                "clients: {a: {verifier: sometimes}}",
                #"clients.a.verifier: "sometimes" is not one of optional, required"#
            ),
            (
                "clients: {a: {returnURLs: https://a.example.com}}",
                "clients.a.returnURLs: takes a list, like [a, b]"
            ),
            (
                "clients: {a: {returnURLs: ['javascript:alert(1)']}}",
                #"clients.a.returnURLs[0]: "javascript:alert(1)" has a scheme that no login may return to"#
            ),
            (
                "clients: {a: {accessTokenLifetime: 2h, refreshTokenLifetime: 1h}}",
                "clients.a.refreshTokenLifetime: is shorter than accessTokenLifetime (2h)"
            ),
            (
                "clients: {a: {refreshTokenLifetime: 60d, sessionLifetime: 59d}}",
                "clients.a.sessionLifetime: is shorter than refreshTokenLifetime (60d)"
            ),
            (
                "listen: {host: 0.0.0.0}",
                #"listen.host: "0.0.0.0" is not loopback, and tls is missing. "#
                    + "Add tls, or set listen.behindProxy when a proxy ends TLS"
            ),
            (
                "listen: 8080",
                "listen: takes keys (host, port, backlog, maxConnections, maxConnectionsPerAddress, idleTimeout, "
                    + "drainNotice, drainTimeout, behindProxy, trustedProxies, corsOrigins, adminSocket, adminReadGroup), "
                    + "not a value"
            ),
            (
                "listen: {host: '[::1]'}",
                #"listen.host: "[::1]" is not an address or a host name (no scheme, port or brackets)"#
            ),
            ("tls: {certificate: c.pem}", "tls.key: is missing. Write a path, relative to the data folder or absolute"),
            ("publicURL: login.example.com", #"publicURL: "login.example.com" is not an absolute URL"#),
            (
                "publicURL: https://login.example.com/?a",
                #"publicURL: "https://login.example.com/?a" has a query or a fragment. Write only the part before it"#
            ),
            (
                "publicURL: https://joe:hush@login.example.com",
                "publicURL: contains a user name. Write the URL without it"
            ),
            ("limits: {bodyBytes: 1023}", #"limits.bodyBytes: "1023" is out of range. It takes 1024 to 1048576"#),
            ("retention: {batch: 0}", #"retention.batch: "0" is out of range. It takes 1 to 10000"#),
        ])
    func `each invalid line gives one error with its line`(text: String, fault: String) {
        let faults = SettingsFixture.minimal(text).faults().filter { !$0.contains("does not exist") }
        #expect(faults == ["config/vestibule.yaml:3: \(fault)"])
    }

    @Test(
        arguments: [
            ("faceLogin.lifetime=124s", #""124s" is out of range. It takes 125s to 15m"#),
            ("faceLogin.lifetime=901s", #""901s" is out of range. It takes 125s to 15m"#),
            ("faceLogin.landing=popup", #""popup" is not one of redirect, confirm, direct"#),
            ("faceLogin.provider=mok", #""mok" is not one of the providers (mock)"#),
            ("faceLogin.hotCheck=6s", "is longer than coldCheck (5s)"),
            ("providers.mock.connectTimeout=11s", "is longer than requestTimeout (10s)"),
            (
                "providers.mock.baseURL=http://id.example.com",
                #""http://id.example.com" is plain http. Only https is allowed over a network"#
            ),
            ("providers.mock.kind=onfido", #""onfido" is not one of authid, http"#),
            ("limits.off=on", #""on" is neither true nor false"#),
            ("secrets.signingAlgorithm=ES256", #""ES256" is not one of es256, eddsa, rs256"#),
        ])
    func `each invalid override gives its message`(override: String, message: String) throws {
        let key = try #require(override.split(separator: "=").first)
        #expect(SettingsFixture.minimal().setting(override).faults() == ["--set \(key): \(message)"])
    }

    @Test func `a poll interval that reaches the approval window is refused`() {
        let faults = SettingsFixture.minimal()
            .setting("faceLogin.pollInterval=10s", "faceLogin.approvalWindow=10s").faults()
        #expect(faults == ["--set faceLogin.pollInterval: is not shorter than approvalWindow (10s)"])
    }

    @Test func `a socket's path that the system would cut off is refused`() throws {
        let long = "/" + String(repeating: "a", count: 107)
        let faults = SettingsFixture.minimal().setting("listen.adminSocket=\(long)").faults()
        #expect(
            faults == ["--set listen.adminSocket: \(long) has 108 bytes. The path of a Unix socket takes at most 107"]
        )
        #expect(SettingsFixture.minimal().setting("listen.adminSocket=\(long.dropLast())").faults() == [])
    }
}
