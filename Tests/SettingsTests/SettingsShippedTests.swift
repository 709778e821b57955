import FaceProviders
import Foundation
import Kernel
import OAuth
import Operations
import ScriptedServer
import Sessions
import SettingsFixture
import Testing

@testable import Settings

/// The files of config/, as they are shipped.
struct SettingsShippedTests {
    private static let folder = SettingsFiles.resolve(#filePath + "/../../../config", against: "/")

    private func text(_ path: String) throws -> String {
        let file = Self.folder + "/" + path
        guard case .text(let text, _) = SettingsFiles.disk.read(file) else { throw MissingFileError(path: file) }
        return text
    }

    private struct MissingFileError: Error { let path: String }

    /// The shipped files in memory, with `main` as the config.
    private func shipped(_ main: String) throws -> SettingsFixture {
        var fixture = SettingsFixture()
        fixture.configFile = "config/\(main)"
        for path in [main, "providers/mock.yaml", "providers/authid.yaml"] {
            fixture.files["/srv/vestibule-test/config/\(path)"] = (try text(path), 0o644)
        }
        return fixture
    }

    @Test func `the built-in config is config/vestibule.yaml`() throws {
        try hold("../config/vestibule.yaml", to: EmbeddedConfig.main)
        for (path, embedded) in EmbeddedConfig.included { #expect(embedded == (try text(path))) }
        var builtIn = try shipped("vestibule.yaml")
        let loaded = try builtIn.load()
        builtIn.configFile = nil
        builtIn.files = [:]
        #expect(try builtIn.load().settings == loaded.settings)
    }

    /// Fails where the file is not what is printed; scripts/references.sh writes it.
    private func hold(_ path: String, to printed: String) throws {
        guard try text(path) != printed else { return }
        guard ProcessInfo.processInfo.environment["VESTIBULE_WRITE_REFERENCES"] == nil else {
            let file = SettingsFiles.resolve(path, against: Self.folder)
            return try printed.write(toFile: file, atomically: true, encoding: .utf8)
        }
        Issue.record("\(path) is not what the schema prints; scripts/references.sh writes it")
    }

    @Test func `the laptop's config differs from the defaults in what it says, and in nothing else`() throws {
        let settings = try shipped("vestibule.yaml").load().settings
        var expected = Settings(dataFolder: "/data")
        var client = ClientSettings(id: "bbms")
        client.name = "BBMS"
        client.isDefault = true
        client.verifier = .optional
        client.initiators = .anyone
        client.refresh.rotation = .cookieOnly
        var app = ClientSettings(id: "myvoo")
        app.name = "myVOO"
        var oauth = OAuthClientSettings()
        oauth.client.authorization.redirectURIs = ["myapp.scheme.demo://code_callback"]
        oauth.client.authorization.codeChallenge = .optional
        oauth.client.tokens.refresh = .always
        app.oauth = oauth
        app.surfaces = []
        var wallet = ClientSettings(id: "mwsim")
        wallet.refresh.keySessions = .credential
        expected.clients = [client, wallet] + ["yapt", "passkeys"].map { ClientSettings(id: $0) } + [app]
        expected.oauth.enabled = true
        expected.oauth.registration = true
        expected.sampleData.client = "myvoo"
        expected.surfaces = [
            "bbms": SurfaceSettings(name: "bbms", enabled: true, registration: true, client: "bbms"),
            "mobile": SurfaceSettings(name: "mobile", enabled: true, registration: true, client: "mwsim"),
            "yapt": SurfaceSettings(name: "yapt", enabled: true, registration: true, client: "yapt"),
            "passkeys": SurfaceSettings(name: "passkeys", enabled: true, registration: true, client: "passkeys"),
        ]
        expected.accounts.requireVerifiedEmail = false
        expected.wallet.confirmEnrollment = false
        expected.faceLogin.provider = "mock"
        let mock = AuthIDConfiguration(
            baseURL: "http://127.0.0.1:8090",
            pageURL: "http://127.0.0.1:8090",
            keyID: Secret("mock-key-id"),
            keyValue: Secret("mock-key-value")
        )
        expected.providers = ["mock": ProviderSettings(.authID(mock))]
        expected.fillInURLs()
        #expect(settings == expected)
    }

    @Test func `the laptop's config is warned about its client and its keys`() throws {
        let warned = try shipped("vestibule.yaml").load().warnings.map(\.key)
        #expect(
            warned == [
                "providers.mock.keyID", "providers.mock.keyValue", "clients.bbms.initiators", "clients.bbms.refresh",
                "clients.mwsim.keyRefresh",
                "clients.myvoo.oauth.pkce", "accounts.requireVerifiedEmail",
            ]
        )
    }

    @Test func `every key stands in a shipped file, under the schema's words for it`() throws {
        let all = try ["vestibule.yaml", "providers/authid.yaml", "providers/http.yaml"].map(text).joined(
            separator: "\n"
        )
        let comments = all.split(separator: "\n").map { $0.drop { $0 == " " || $0 == "#" } }.joined(separator: " ")
        func check(_ infos: [SettingInfo]) {
            for info in infos {
                #expect(comments.contains(info.summary), "\(info.name): \(info.summary)")
                let written = all.split(separator: "\n").contains { line in
                    line.drop { $0 == " " || $0 == "#" }.hasPrefix(info.name + ":")
                }
                #expect(written, "\(info.name)")
                switch info.children {
                case .none: continue
                case .keys(let below), .named(let below): check(below)
                }
            }
        }
        check(SettingsSchema.root.infos)
    }

    @Test func `the production config loads clean once its secrets and its certificate are there`() throws {
        var fixture = try shipped("vestibule.production.yaml")
        #expect(
            fixture.faults().map { $0.split(separator: " ").dropFirst().joined(separator: " ") } == [
                "providers.authid.keyID: the environment has no variable AUTHID_KEY_ID",
                "providers.authid.keyValue: the environment has no variable AUTHID_KEY_VALUE",
                "tls.certificate: the file /data/tls/certificate.pem does not exist",
                "tls.key: the file /data/tls/key.pem does not exist",
                "mail.smtp.password: the environment has no variable SMTP_PASSWORD",
            ]
        )
        fixture.environment = ["AUTHID_KEY_ID": "id", "AUTHID_KEY_VALUE": "value", "SMTP_PASSWORD": "hush"]
        fixture.files["/data/tls/certificate.pem"] = (UntrustedCertificate.certificatePEM, 0o644)
        fixture.files["/data/tls/key.pem"] = (UntrustedCertificate.keyPEM, 0o600)
        let loaded = try fixture.load()
        #expect(loaded.warnings.isEmpty)
        let settings = loaded.settings
        #expect(settings.mode == .production)
        #expect(settings.defaultClient == nil)
        #expect(settings.clients.allSatisfy { $0.verifier == .required && $0.initiators == .knownDevice })
        #expect(settings.surfaces.values.allSatisfy { !$0.enabled })
        #expect(settings.faceLogin.provider == "authid")
        #expect(fixture.setting("surfaces.bbms.enabled=true").faults() == [])
    }

    @Test func `the service's variables are keys, and its credentials pass`() throws {
        let folder = "/run/credentials/vestibule.service"
        var fixture = try shipped("vestibule.production.yaml")
        fixture.environment["CREDENTIALS_DIRECTORY"] = folder
        for line in try text("vestibule.service").split(separator: "\n") {
            if line.hasPrefix("Environment=") {
                let parts = line.dropFirst("Environment=".count).split(separator: "=", maxSplits: 1)
                fixture.environment[String(parts[0])] = String(parts[1].replacing("%d", with: folder))
            } else if line.hasPrefix("LoadCredential=") {
                let name = line.dropFirst("LoadCredential=".count).prefix { $0 != ":" }
                fixture.files["\(folder)/\(name)"] = ("hush", 0o440)
            }
        }
        fixture.files["\(folder)/tls-certificate"]?.text = UntrustedCertificate.certificatePEM
        fixture.files["\(folder)/tls-key"]?.text = UntrustedCertificate.keyPEM
        let settings = try fixture.load().settings
        #expect(settings.tls == TLSSettings(certificate: "\(folder)/tls-certificate", key: "\(folder)/tls-key"))
        guard case .authID(let account) = try #require(settings.providers["authid"]).adapter else { return }
        #expect(account.keyID.expose() == "hush")
    }
}
