import ScriptedServer
import SettingsFixture
import Testing

@testable import Settings

struct SettingsModeTests {
    private func production(_ more: String = "") -> SettingsFixture {
        .minimal("mode: production\n" + more)
    }

    // T-014, T-068, T-093, T-219
    @Test func `production refuses the shapes of old clients, all of them at once`() {
        let fixture = production(
            """
            publicURL: http://login.example.com
            issuer: http://issuer.example.com
            clients:
              shop:
                default: true
                verifier: optional
                initiators: anyone
            surfaces:
              bbms: {enabled: true}
            limits:
              off: true
            """
        )
        #expect(
            fixture.faults() == [
                #"config/vestibule.yaml:4: publicURL: "http://login.example.com" is plain http. "#
                    + "Production takes https",
                #"config/vestibule.yaml:5: issuer: "http://issuer.example.com" is plain http. Production takes https"#,
                "config/vestibule.yaml:8: clients.shop.default: "
                    + "production has no default client. Requests name their client, or their surface does",
                "config/vestibule.yaml:9: clients.shop.verifier: production refuses optional. Write required",
                "config/vestibule.yaml:10: clients.shop.initiators: production refuses anyone. Write known-device",
                "config/vestibule.yaml:12: surfaces.bbms.enabled: "
                    + "production serves no surface without a client. Set surfaces.bbms.client",
                "config/vestibule.yaml:14: limits.off: is for benchmarks: laptop mode on a loopback host only",
            ]
        )
    }

    // A balancer needs the time; without one in front a stop is not to be slower.
    @Test func `a stop is announced for five seconds in production, and for none on a laptop`() throws {
        let fixture = production("publicURL: http://127.0.0.1:8080\nclients: {shop: {}}\nmail: {outbox: outbox}\n")
        let loaded = try fixture.load()
        #expect(loaded.settings.listen.drain.notice == .seconds(5))
        #expect(ConfigPrinter(loaded: loaded).yaml().contains("  drainNotice: 5s "))
        #expect(try fixture.setting("listen.drainNotice=0s").load().settings.listen.drain.notice == .zero)
        #expect(try SettingsFixture.minimal().load().settings.listen.drain.notice == .zero)
        var outside = SettingsFixture.minimal("clients: {shop: {}}\nmail: {outbox: outbox}\n")
        outside.environment["VESTIBULE_MODE"] = "production"
        #expect(try outside.load().settings.listen.drain.notice == .seconds(5))
    }

    @Test func `the mode may come from outside`() {
        var fixture = SettingsFixture.minimal("clients: {shop: {initiators: anyone}}")
        fixture.environment["VESTIBULE_MODE"] = "production"
        #expect(
            fixture.faults() == [
                "config/vestibule.yaml:3: clients.shop.initiators: production refuses anyone. Write known-device"
            ]
        )
        #expect(fixture.setting("mode=laptop").faults() == [])
    }

    @Test func `production takes a surface with a client, and http on this machine`() throws {
        let loaded = try production(
            """
            publicURL: http://127.0.0.1:8080
            clients: {shop: {}}
            surfaces: {bbms: {enabled: true, client: shop}}
            mail: {outbox: outbox}
            """
        ).load()
        #expect(loaded.settings.surfaces == ["bbms": SurfaceSettings(name: "bbms", enabled: true, client: "shop")])
        #expect(loaded.warnings.isEmpty)
    }

    // T-017
    @Test func `a client can't insist on a return from a provider that sends nobody back`() {
        let fixture = SettingsFixture.minimal(
            """
            clients:
              shop:
                returnURLs: [https://app.example.com/done]
                requireReturn: true
            """
        )
        #expect(
            fixture.faults() == [
                "config/vestibule.yaml:6: clients.shop.requireReturn: the provider \"mock\" does not send browsers back"
            ]
        )
        #expect(
            fixture.setting("clients.shop.returnURLs=").faults().contains(
                "config/vestibule.yaml:6: clients.shop.requireReturn: needs an address in returnURLs"
            )
        )
    }

    // T-068
    @Test func `direct is refused in production and warned about on a laptop`() throws {
        let keys = ["clients.shop.landing", "faceLogin.landing"]
        let set = keys.map { "\($0)=direct" }
        var fixture = production("clients: {shop: {}}")
        for one in set { fixture = fixture.setting(one) }
        #expect(
            fixture.faults().sorted()
                == set.map { "--set \($0.prefix { $0 != "=" }): production refuses direct. Write confirm or redirect" }
        )
        var laptop = SettingsFixture.minimal("clients: {shop: {}}")
        for one in set { laptop = laptop.setting(one) }
        #expect(try laptop.load().warnings.map(\.key).sorted() == keys)
    }

    // T-017
    @Test(arguments: [("clients", "clients.shop.landing"), ("faceLogin", "faceLogin.landing")])
    func `a client that insists on the return has scans begun in browsers`(_ place: String, _ key: String) {
        let own = place == "clients" ? "landing: direct" : "verifier: required"
        let fixture = SettingsFixture.minimal(
            """
            clients:
              shop:
                \(own)
                returnURLs: [https://shop.example.com/done]
                requireReturn: true
            faceLogin:
              landing: \(place == "clients" ? "redirect" : "direct")
            """
        )
        #expect(
            fixture.faults().contains(
                "config/vestibule.yaml:7: clients.shop.requireReturn: "
                    + "does not go with \(key): direct, which begins scans in no browser. Write confirm"
            ),
            "\(fixture.faults())"
        )
    }

    // T-093
    @Test func `refreshes without rotation are refused in production and warned about on a laptop`() throws {
        let clients = "clients: {shop: {refresh: bearer-without-rotation}}"
        #expect(
            production(clients).faults() == [
                "config/vestibule.yaml:4: clients.shop.refresh: "
                    + "production refuses bearer-without-rotation. Write rotation"
            ]
        )
        #expect(try SettingsFixture.minimal(clients).load().warnings.map(\.key) == ["clients.shop.refresh"])
    }

    // T-093
    @Test func `refreshes of a key's session without the key are refused in production and warned about on a laptop`()
        throws
    {
        let clients = "clients: {shop: {keyRefresh: credential}}"
        #expect(
            production(clients).faults() == [
                "config/vestibule.yaml:4: clients.shop.keyRefresh: production refuses credential. Write signature"
            ]
        )
        #expect(try SettingsFixture.minimal(clients).load().warnings.map(\.key) == ["clients.shop.keyRefresh"])
    }

    @Test func `production takes a surface that is off without a client`() {
        #expect(production("surfaces: {bbms: {enabled: false}}").faults() == [])
    }

    // T-068
    @Test func `addresses that nobody proved are refused in production and warned about on a laptop`() throws {
        let fixture = production(
            """
            publicURL: https://login.example.com
            clients: {shop: {}}
            surfaces: {mobile: {enabled: true, client: shop, registration: true}}
            """
        )
        #expect(try !fixture.load().warnings.map(\.key).contains("accounts.requireVerifiedEmail"))
        let careless = fixture.setting("accounts.requireVerifiedEmail=false")
        #expect(
            careless.faults() == [
                "--set accounts.requireVerifiedEmail: production refuses false. Write true, or leave it out"
            ]
        )
        let laptop = careless.setting("mode=laptop")
        #expect(try laptop.load().warnings.map(\.key).contains("accounts.requireVerifiedEmail"))
    }

    @Test func `production without a public URL is warned`() throws {
        let warnings = try production("clients: {shop: {}}\nmail: {outbox: outbox}").load().warnings.map(\.description)
        #expect(
            warnings == [
                "config/vestibule.yaml: publicURL: is not set, so links and tokens name http://localhost:8080"
            ]
        )
    }

    @Test(arguments: ["127.0.0.1", "127.8.9.10", "::1", "localhost", "LOCALHOST"])
    func `plain http is served on loopback`(host: String) {
        #expect(production().setting("listen.host=\(host)").faults() == [])
    }

    // O-090, O-091
    @Test(arguments: [
        "0.0.0.0", "::", "192.0.2.1", "127.0.0.1.example.com", "localhost.example.com", "128.0.0.1", "127.1",
    ])
    func `elsewhere plain http needs a proxy or tls`(host: String) {
        let fixture = production().setting("listen.host=\(host)")
        #expect(fixture.faults().count == 1)
        let unnamed = fixture.setting("listen.behindProxy=true")
        #expect(
            unnamed.faults() == [
                "--set listen.behindProxy: "
                    + "no proxy is named in listen.trustedProxies, so all its clients would have one address"
            ]
        )
        #expect(unnamed.setting("listen.trustedProxies=192.0.2.9").faults() == [])
        var secure = fixture.setting("tls.certificate=c", "tls.key=k")
        secure.files["/data/c"] = (UntrustedCertificate.certificatePEM, 0o644)
        secure.files["/data/k"] = (UntrustedCertificate.keyPEM, 0o640)
        #expect(secure.faults() == [])
        secure.files["/data/k"] = (UntrustedCertificate.keyPEM, 0o644)
        #expect(secure.faults() == ["--set tls.key: /data/k is accessible to everyone. Set its mode to 640 or less"])
    }

    @Test func `limits go off on a laptop's loopback only, with a warning`() throws {
        let off = SettingsFixture.minimal("clients: {shop: {}}").setting("limits.off=true")
        #expect(try off.load().warnings.map(\.description) == ["--set limits.off: the rate limiters are off"])
        #expect(
            off.setting("listen.host=0.0.0.0", "listen.behindProxy=true").faults() == [
                "--set limits.off: is for benchmarks: laptop mode on a loopback host only"
            ]
        )
    }

    // T-014
    @Test func `a laptop is warned about what anyone may start, and about having no clients`() throws {
        let open = try SettingsFixture.minimal("clients: {shop: {initiators: anyone}}").load()
        #expect(
            open.warnings.map(\.description) == [
                "config/vestibule.yaml:3: clients.shop.initiators: "
                    + "anyone who knows an e-mail can start a login for it and forward the scan's link"
            ]
        )
        let none = try SettingsFixture.minimal().load()
        #expect(
            none.warnings.map(\.description) == [
                "config/vestibule.yaml: clients: is empty, so nobody can sign in"
            ]
        )
    }
}
