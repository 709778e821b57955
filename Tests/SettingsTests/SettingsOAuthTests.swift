import Kernel
import OAuth
import Outbound
import SettingsFixture
import Testing

@testable import Settings

/// The settings of OAuth clients.
struct SettingsOAuthTests {
    private static let secret = String(repeating: "s", count: 32)

    private func fixture(_ oauth: String, mode: String = "laptop") -> SettingsFixture {
        SettingsFixture.minimal("mode: \(mode)\noauth: {enabled: true}\nclients: {web: {oauth: {\(oauth)}}}")
    }

    @Test func `a client with a secret is one of the authorization server's`() throws {
        var fixture = fixture(
            "redirectURIs: ['https://app.example.com/done'], authentication: secret, secret: env:ONE, earlierSecret: env:TWO"
        )
        fixture.environment["ONE"] = Self.secret
        fixture.environment["TWO"] = Self.secret + "2"
        let settings = try fixture.load().settings
        let secrets = ClientSecrets(key: .zero)
        let client = try #require(settings.oauthClients(secrets).first)
        #expect(client.id == "web" && client.origin == .config && client.access.audience == "web")
        #expect(
            client.authentication
                == .secret([secrets.hash(Secret(Self.secret)), secrets.hash(Secret(Self.secret + "2"))])
        )
        #expect(client.authorization.codeChallenge == .required && client.tokens.refresh == .offlineAccess)
        #expect(client.access.grants == [.authorizationCode, .refreshToken])
    }

    @Test func `what id tokens are signed with and say can be set`() throws {
        let set = fixture("grants: [device_code], idTokenAlgorithm: rs256, idTokenClaims: [name, email]")
        let client = try #require(try set.load().settings.oauthClients(ClientSecrets(key: .zero)).first)
        #expect(client.tokens.identityAlgorithm == .rs256 && client.tokens.identityClaims == [.name, .email])
        let usual = try fixture("grants: [device_code]").load().settings.oauthClients(ClientSecrets(key: .zero))
        #expect(usual.first?.tokens.identityAlgorithm == nil && usual.first?.tokens.identityClaims == [])
    }

    @Test func `the endpoint of logout tokens can be set`() throws {
        let set = fixture(
            "grants: [device_code], backchannelLogout: {uri: 'https://app.example.com/out?a=b', sessionRequired: true}"
        )
        let client = try #require(try set.load().settings.oauthClients(ClientSecrets(key: .zero)).first)
        #expect(
            client.tokens.logout == LogoutEndpoint(uri: "https://app.example.com/out?a=b", isSessionRequired: true)
        )
        let local = fixture("grants: [device_code], backchannelLogout: {uri: 'http://127.0.0.1:9000/out'}")
        #expect(try local.load().settings.oauthClients(ClientSecrets(key: .zero)).first?.tokens.logout != nil)
    }

    // T-185
    @Test func `addresses of clients' endpoints are public, or those that the config lists`() throws {
        let laptop = SettingsFixture.minimal("mode: laptop\noauth: {privateAddresses: [10.1.0.0/16, 'fd12::/32']}")
        let rule = try laptop.load().settings.endpointAddresses
        for (text, isAllowed) in [
            ("10.1.2.3", true), ("10.2.0.1", false), ("fd12::1", true), ("127.0.0.1", true), ("::1", true),
            ("1.1.1.1", true), ("169.254.169.254", false),
        ] {
            let address = try #require(NetworkAddress(text))
            #expect(rule.allows(address) == isAllowed, "\(text)")
        }
        var production = try laptop.load().settings
        production.mode = .production
        for text in ["127.0.0.1", "::1"] {
            let address = try #require(NetworkAddress(text))
            #expect(!production.endpointAddresses.allows(address))
        }
    }

    @Test(arguments: ["0.0.0.0/0", "'::/0'", "10.0.0.1/8", "internal"])
    func `attack: neither every address nor a text is a block of private addresses`(text: String) {
        let set = SettingsFixture.minimal("oauth: {privateAddresses: [\(text)]}")
        #expect(throws: SettingsErrors.self) { try set.load() }
    }

    // O-003, O-081
    @Test(
        arguments: [
            ("", "redirectURIs"),
            ("grants: [device_code], backchannelLogout: {}", "backchannelLogout.uri"),
            ("grants: [device_code], backchannelLogout: {uri: ''}", "backchannelLogout.uri"),
            ("grants: [device_code], backchannelLogout: {uri: 'https://a.example.com/#x'}", "backchannelLogout.uri"),
            ("grants: [device_code], backchannelLogout: {uri: 'http://a.example.com/x'}", "backchannelLogout.uri"),
            ("grants: [device_code], backchannelLogout: {uri: 'com.example.app:/x'}", "backchannelLogout.uri"),
            ("redirectURIs: ['http://app.example.com/']", "redirectURIs[0]"),
            ("redirectURIs: ['javascript:x']", "redirectURIs[0]"),
            ("redirectURIs: [com.example.app:/done], grants: [password]", "grants[0]"),
            ("grants: [refresh_token]", "grants"), ("grants: [device_code], scopes: ['a b']", "scopes[0]"),
            ("grants: [device_code], redirectURIs: [com.example.app:/done]", "redirectURIs"),
            ("grants: [device_code], idTokenAlgorithm: RS256", "idTokenAlgorithm"),
            ("grants: [device_code], idTokenClaims: [phone]", "idTokenClaims[0]"),
            ("grants: [device_code], scopes: [openid], idTokenClaims: [name]", "idTokenClaims"),
            ("grants: [device_code], authentication: secret", "secret"),
            ("grants: [device_code], authentication: private-key-jwt", "keys"),
            ("grants: [device_code], authentication: private-key-jwt, keys: none.json", "keys"),
            ("grants: [device_code], secret: env:KEY_ID", "secret"),
            ("grants: [device_code], authentication: secret, secret: env:KEY_ID", "secret"),
            ("grants: [ciba], authentication: secret, secret: env:LONG", "ciba"),
            ("grants: [ciba], ciba: {}", "ciba"),
            (
                "grants: [ciba], authentication: secret, secret: env:LONG, ciba: {delivery: ping}",
                "ciba.notificationEndpoint"
            ),
            (
                "grants: [ciba], authentication: secret, secret: env:LONG, ciba: {signedRequests: required}",
                "ciba.signedRequests"
            ),
            ("grants: [device_code], ciba: {}, authentication: secret, secret: env:LONG", "ciba"),
            ("grants: [device_code], requires: password", "requires"),
            ("grants: [ciba], authentication: secret, secret: env:LONG, ciba: {}, requires: passkey", "requires"),
            ("grants: [device_code], ways: [scan]", "ways[0]"),
            ("grants: [device_code], ways: [passkey, mail]", "ways"),
            ("grants: [device_code], ways: [password]", "ways"),
            ("grants: [device_code], requires: passkey, ways: [face]", "ways"),
            ("grants: [device_code], requires: face-and-passkey, ways: [face]", "ways"),
            ("grants: [ciba], authentication: secret, secret: env:LONG, ciba: {}, ways: [passkey]", "ways"),
        ])
    func `OAuth client settings that contradict each other are errors`(_ oauth: String, _ key: String) {
        var fixture = fixture(oauth)
        fixture.environment["LONG"] = Self.secret
        #expect(fixture.faults().contains { $0.contains("clients.web.oauth.\(key): ") }, "\(fixture.faults())")
    }

    @Test func `attack: a push endpoint needs https, except on the same machine in laptop mode`() {
        let client = "grants: [ciba], authentication: secret, secret: env:LONG, ciba: {delivery: push, "
        let key = "clients.web.oauth.ciba.notificationEndpoint: "
        for (endpoint, modes) in [
            ("https://app.example.com/ciba", ["laptop", "production"]), ("http://127.0.0.1:9000/ciba", ["laptop"]),
            ("http://localhost/ciba", ["laptop"]), ("http://app.example.com/ciba", []),
        ] {
            for mode in ["laptop", "production"] {
                var fixture = fixture(client + "notificationEndpoint: '\(endpoint)'}", mode: mode)
                fixture.environment["LONG"] = Self.secret
                let isRefused = fixture.faults().contains { $0.contains(key) }
                #expect(isRefused == !modes.contains(mode), "\(endpoint) \(mode) \(fixture.faults())")
            }
        }
    }

    // O-036, O-037
    @Test func `a code without a challenge is for a laptop`() throws {
        let oauth = "redirectURIs: [com.example.app:/done], pkce: optional"
        #expect(try fixture(oauth).load().warnings.map(\.key).contains("clients.web.oauth.pkce"))
        #expect(fixture(oauth, mode: "production").faults().contains { $0.contains("clients.web.oauth.pkce: ") })
    }

    @Test
    func `what a client requires is a face or a passkey unless it says otherwise, and never nothing in production`()
        throws
    {
        let uris = "redirectURIs: ['https://app.example.com/done']"
        let secrets = ClientSecrets(key: .zero)
        #expect(try fixture(uris).load().settings.oauthClients(secrets).first?.authorization.requires == .faceOrPasskey)
        for proof in RequiredProof.allCases {
            let loaded = try fixture("\(uris), requires: \(proof.rawValue)").load()
            #expect(loaded.settings.oauthClients(secrets).first?.authorization.requires == proof)
            let isWarned = loaded.warnings.map(\.key).contains("clients.web.oauth.requires")
            #expect(isWarned == (proof == .any))
        }
        let faults = fixture("\(uris), requires: any", mode: "production").faults()
        #expect(faults.contains { $0.contains("clients.web.oauth.requires: is any") }, "\(faults)")
    }

    @Test func `a client names the ways that are good enough, and in production no password or mailed code`() throws {
        let uris = "redirectURIs: ['https://app.example.com/done']"
        let secrets = ClientSecrets(key: .zero)
        for (oauth, ways) in [
            ("requires: any, ways: [passkey, mail]", [SignInWay.passkey, .mail]), ("ways: [passkey]", [.passkey]),
            ("requires: face-and-passkey, ways: [face, passkey]", [.face, .passkey]),
        ] {
            let rules = try fixture("\(uris), \(oauth)").load().settings.oauthClients(secrets).first?.authorization
            #expect(rules?.acceptedWays == Set(ways), "\(oauth)")
        }
        for way in ["mail", "password"] {
            let faults = fixture("\(uris), ways: [\(way)]", mode: "production").faults()
            #expect(faults.contains { $0.contains("clients.web.oauth.ways: ") }, "\(faults)")
            let open = fixture("\(uris), requires: any, ways: [\(way)]", mode: "production").faults()
            #expect(open.contains { $0.contains("clients.web.oauth.requires: is any") }, "\(open)")
        }
    }
}
