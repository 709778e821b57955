import FaceProviders
import Kernel
import Operations
import ScriptedServer
import SettingsFixture
import Storage
import Testing

@testable import Settings

struct SettingsLoaderTests {
    @Test func `a setting that is not written has its default`() throws {
        let settings = try SettingsFixture.minimal().load().settings
        #expect(settings.mode == .laptop)
        #expect(settings.listen == ListenSettings(dataFolder: "/data"))
        #expect(settings.listen.connections.backlog == 4096)
        #expect(settings.adminSocket == "/data/vestibule.sock")
        #expect(settings.publicURL == "http://localhost:8080")
        #expect(settings.issuer == "http://localhost:8080")
        #expect(settings.tls == nil)
        #expect(settings.log == LogSettings())
        #expect(settings.storage.sqlite.path == "/data/vestibule.sqlite")
        #expect(settings.storage.sqlite.durability == .full)
        #expect(settings.clients.isEmpty)
        #expect(settings.surfaces.isEmpty)
        #expect(settings.faceLogin.lifetime == .seconds(180))
        #expect(settings.limits == LimitSettings())
        #expect(settings.secrets.keyFolder == "/data/keys")
    }

    @Test func `a client has its id for a name and an audience, and the safe policies`() throws {
        let client = try #require(try SettingsFixture.minimal("clients: {shop: }").load().settings.clients.first)
        #expect(client.name == "shop")
        #expect(client.audience == "shop")
        #expect(client.verifier == .required)
        #expect(client.initiators == .knownDevice)
        #expect(!client.isDefault)
    }

    @Test func `clients keep the order of the file`() throws {
        let settings = try SettingsFixture.minimal("clients: {zebra: {}, ant: {default: true}}").load().settings
        #expect(settings.clients.map(\.id) == ["zebra", "ant"])
        #expect(settings.defaultClient?.id == "ant")
    }

    @Test func `a provider's file stands beside the config, its secrets come from the environment`() throws {
        let settings = try SettingsFixture.minimal().load().settings
        let expected = AuthIDConfiguration(
            baseURL: "http://127.0.0.1:8090",
            pageURL: "http://127.0.0.1:8090",
            keyID: Secret("an-id"),
            keyValue: Secret("a-value")
        )
        #expect(settings.providers == ["mock": ProviderSettings(.authID(expected))])
    }

    @Test func `a provider may be written in the main file`() throws {
        let fixture = SettingsFixture(
            """
            faceLogin: {provider: live}
            providers:
              live:
                {kind: authid, baseURL: https://id.example.com/, pageURL: https://scan.example.com, keyID: a,
                 keyValue: b}
            """
        )
        guard case .authID(let account) = try #require(try fixture.load().settings.providers["live"]).adapter else {
            return
        }
        #expect(account.baseURL == "https://id.example.com")
        #expect(account.pageURL == "https://scan.example.com")
        #expect(account.keyValue.expose() == "b")
    }

    @Test func `relative paths start from the data folder, wherever that is written from`() throws {
        var fixture = SettingsFixture.minimal(
            "storage: {file: db/../rows.sqlite}\nsecrets: {keyFolder: /srv/keys}\nlisten: {adminSocket: run/./a.sock}"
        )
        fixture.dataFolder = "state/"
        let settings = try fixture.load().settings
        #expect(settings.dataFolder == "/srv/vestibule-test/state")
        #expect(settings.storage.sqlite.path == "/srv/vestibule-test/state/rows.sqlite")
        #expect(settings.secrets.keyFolder == "/srv/keys")
        #expect(settings.adminSocket == "/srv/vestibule-test/state/run/a.sock")
    }

    @Test func `the public URL follows the port, the issuer follows the public URL`() throws {
        let written = try SettingsFixture.minimal("publicURL: https://login.example.com/").load()
        #expect(written.settings.publicURL == "https://login.example.com")
        #expect(written.settings.issuer == "https://login.example.com")
        #expect(written.settings(boundTo: 4000).publicURL == "https://login.example.com")

        let derived = try SettingsFixture.minimal("listen: {port: 0}\nissuer: https://id.example.com/").load()
        let bound = derived.settings(boundTo: 4000)
        #expect(bound.listen.port == 4000)
        #expect(bound.publicURL == "http://localhost:4000")
        #expect(bound.issuer == "https://id.example.com/")
    }

    @Test func `with tls the default public URL is https`() throws {
        var fixture = SettingsFixture.minimal("tls: {certificate: c.pem, key: k.pem}")
        fixture.files["/data/c.pem"] = (UntrustedCertificate.certificatePEM, 0o644)
        fixture.files["/data/k.pem"] = (UntrustedCertificate.keyPEM, 0o600)
        let settings = try fixture.load().settings
        #expect(settings.publicURL == "https://localhost:8080")
        #expect(settings.tls == TLSSettings(certificate: "/data/c.pem", key: "/data/k.pem"))
    }

    @Test func `later sources win: default, file, environment, --set`() throws {
        var fixture = SettingsFixture.minimal("faceLogin: {provider: mock}")
        fixture.files["/srv/vestibule-test/config/vestibule.yaml"]?.text = """
            faceLogin: {provider: mock, lifetime: 200s, approvalWindow: 50s, redemptionWindow: 40s}
            providers: {mock: providers/mock.yaml}
            """
        fixture.environment["VESTIBULE_FACELOGIN__LIFETIME"] = "300s"
        fixture.environment["VESTIBULE_FACELOGIN__APPROVALWINDOW"] = "55s"
        let loaded = try fixture.setting("faceLogin.lifetime=400s", "faceLogin.lifetime=500s").load()
        let login = loaded.settings.faceLogin
        #expect(login.lifetime == .seconds(500))
        #expect(login.approvalWindow == .seconds(55))
        #expect(login.redemptionWindow == .seconds(40))
        #expect(login.pollInterval == .seconds(2))
        #expect(loaded.origins["faceLogin.lifetime"] == .option("faceLogin.lifetime"))
        #expect(loaded.origins["faceLogin.redemptionWindow"] == .file("config/vestibule.yaml", line: 1))
        #expect(loaded.origins["faceLogin.pollInterval"] == nil)
    }
}
