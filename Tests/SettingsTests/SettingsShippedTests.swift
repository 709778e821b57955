import FaceProviders
import Foundation
import Kernel
import OAuth
import Operations
import ScriptedServer
import Sessions
import SettingsFixture
import Storage
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
        fixture.files["/etc/ssl/certs/ca-certificates.crt"] = (UntrustedCertificate.certificatePEM, 0o644)
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

    @Test func `the config of several daemons loads clean once its secrets are there, and is the same for each`() throws
    {
        var fixture = try shipped("vestibule.cluster.yaml")
        #expect(
            fixture.faults().map { $0.split(separator: " ").dropFirst().joined(separator: " ") } == [
                "providers.authid.keyID: the environment has no variable AUTHID_KEY_ID",
                "providers.authid.keyValue: the environment has no variable AUTHID_KEY_VALUE",
                "storage.postgres.password: the environment has no variable POSTGRES_PASSWORD",
                "secrets.sealingKey: the environment has no variable SEALING_KEY",
                "mail.smtp.password: the environment has no variable SMTP_PASSWORD",
            ]
        )
        fixture.environment = [
            "AUTHID_KEY_ID": "id", "AUTHID_KEY_VALUE": "value", "SMTP_PASSWORD": "hush", "POSTGRES_PASSWORD": "hush",
            "SEALING_KEY": String(repeating: "k", count: 32),
        ]
        let loaded = try fixture.load()
        #expect(loaded.warnings.isEmpty)
        let settings = loaded.settings
        #expect(settings.mode == .production && settings.storage.postgres?.poolSize == 16)
        #expect(settings.listen.behindProxy && settings.tls == nil)
        #expect(settings.clients.allSatisfy { $0.verifier == .required && $0.initiators == .knownDevice })
        var other = fixture.setting("listen.port=8081", "listen.host=127.0.0.1", "listen.adminSocket=/run/b.sock")
        other.dataFolder = "/other"
        #expect(try other.load().settings.agreement == settings.agreement)
        #expect(try fixture.setting("faceLogin.landing=redirect").load().settings.agreement != settings.agreement)
    }

    @Test func `the unit of several daemons is hardened like that of one`() throws {
        func hardening(_ unit: String) throws -> ArraySlice<Substring> {
            try text(unit).split(separator: "\n").drop { !$0.hasPrefix("LimitNOFILE=") }
        }
        #expect(try hardening("vestibule@.service") == hardening("vestibule.service"))
        let lines = try text("vestibule@.service").split(separator: "\n")
        for line in ["DynamicUser=yes", "StateDirectory=vestibule-%i", "StateDirectoryMode=0700", "UMask=0077"] {
            #expect(lines.contains { $0 == line }, "\(line)")
        }
    }

    @Test func `the variables of the recipe for containers are keys, and its config is the shipped one`() throws {
        var fixture = try shipped("vestibule.cluster.yaml")
        for line in try text("../packaging/cluster/compose.yaml").split(separator: "\n") {
            let words = line.split(separator: ": ", maxSplits: 1).map { $0.drop { $0 == " " } }
            guard let name = words.first, name.hasPrefix("VESTIBULE_"), words.count == 2 else { continue }
            fixture.environment[String(name)] = String(words[1])
        }
        #expect(fixture.environment.count == 3)
        for secret in ["AUTHID_KEY_ID", "AUTHID_KEY_VALUE", "SMTP_PASSWORD", "POSTGRES_PASSWORD"] {
            fixture.environment[secret] = "hush"
        }
        fixture.environment["SEALING_KEY"] = String(repeating: "k", count: 32)
        let loaded = try fixture.load()
        #expect(loaded.warnings.isEmpty)
        #expect(loaded.settings.secrets.keyFolder == "/shared/keys")
        #expect(loaded.settings.listen.trustedProxies.count == 1)
    }

    @Test func `the variables of the unit of several daemons are keys, and its credentials pass`() throws {
        let settings = try loadedInService("vestibule@.service", "vestibule.cluster.yaml").load().settings
        #expect(settings.secrets.sealingKey?.expose() == "hush, and so on for thirty-two characters")
        #expect(settings.storage.postgres?.password?.expose() == "hush, and so on for thirty-two characters")
    }

    @Test func `the service's variables are keys, and its credentials pass`() throws {
        let folder = "/run/credentials/vestibule.service"
        var fixture = try loadedInService("vestibule.service", "vestibule.production.yaml")
        fixture.files["\(folder)/tls-certificate"]?.text = UntrustedCertificate.certificatePEM
        fixture.files["\(folder)/tls-key"]?.text = UntrustedCertificate.keyPEM
        let settings = try fixture.load().settings
        #expect(settings.tls == TLSSettings(certificate: "\(folder)/tls-certificate", key: "\(folder)/tls-key"))
        guard case .authID(let account) = try #require(settings.providers["authid"]).adapter else { return }
        #expect(account.keyID.expose() == "hush, and so on for thirty-two characters")
    }

    /// The config as the service has it: with the unit's variables, and a text as each of its credentials.
    private func loadedInService(_ unit: String, _ config: String) throws -> SettingsFixture {
        let folder = "/run/credentials/vestibule.service"
        var fixture = try shipped(config)
        fixture.environment["CREDENTIALS_DIRECTORY"] = folder
        for line in try text(unit).split(separator: "\n") {
            if line.hasPrefix("Environment=") {
                let parts = line.dropFirst("Environment=".count).split(separator: "=", maxSplits: 1)
                fixture.environment[String(parts[0])] = String(parts[1].replacing("%d", with: folder))
            } else if line.hasPrefix("LoadCredential=") {
                let name = line.dropFirst("LoadCredential=".count).prefix { $0 != ":" }
                fixture.files["\(folder)/\(name)"] = ("hush, and so on for thirty-two characters", 0o440)
            }
        }
        return fixture
    }
}
