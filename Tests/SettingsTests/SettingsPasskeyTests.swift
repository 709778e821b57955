import Kernel
import Operations
import Passkeys
import Sessions
import SettingsFixture
import Testing

@testable import Settings

/// The settings of passkeys.
struct SettingsPasskeyTests {
    private static let fingerprint = Array(repeating: "AB", count: 32).joined(separator: ":")
    private static let serving = "surfaces: {passkeys: {enabled: true}}\n"

    @Test func `the relying party follows the public URL where nothing is written`() throws {
        let fixture = SettingsFixture.minimal("publicURL: https://login.example.com:8443/auth\n" + Self.serving)
        let settings = try fixture.load().settings
        #expect(settings.relyingParty.id == "login.example.com" && settings.relyingParty.name == "Vestibule")
        #expect(settings.relyingParty.origins == ["https://login.example.com:8443"])
        #expect(settings.relyingParties.map(\.id) == ["login.example.com"])
        let local = try SettingsFixture.minimal(Self.serving).load().settings
        #expect(local.relyingParty.id == "localhost" && local.relyingParty.origins == ["http://localhost:8080"])
    }

    @Test func `the values of the passkeys section are in force`() throws {
        let more = """
            passkeys:
              rpID: example.com
              rpName: Example
              origins: [https://login.example.com, 'android:apk-key-hash:nyISFFWSraq1Fs3OtjGQOK01NBGxVAyNaRcRUaHZQmw']
              relatedOrigins: [https://example.net]
              customRPIDs: [login.example.com]
              customRPNames: [Shop]
              attestation: direct
              trustFolder: anchors
              androidKeys: any
              tpmSignatures: sha1
              metadataGrace: 2d
              counter: flag
              userVerification: as-requested
              appleApps: [A1B2C3D4E5.com.example.app]
              androidApps: ['com.example.app \(Self.fingerprint.lowercased())']
              listUsers: true
              sessionIdle: 1h
              sessionLifetime: 2d
            """
        let settings = try SettingsFixture.minimal(Self.serving + more).load().settings
        let party = settings.relyingParty
        #expect(party.id == "example.com" && party.name == "Example")
        #expect(
            party.origins == [
                "https://login.example.com", "android:apk-key-hash:nyISFFWSraq1Fs3OtjGQOK01NBGxVAyNaRcRUaHZQmw",
                "https://example.net", "android:apk-key-hash:q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s",
            ]
        )
        #expect(settings.relyingParties.map(\.id) == ["example.com", "login.example.com"])
        #expect(settings.relyingParties[0].relatedOrigins.map(\.text) == ["https://example.net"])
        #expect(settings.relyingParties[1].relatedOrigins.isEmpty)
        #expect(settings.passkeys.attestation.trustFolder == "/data/anchors")
        #expect(
            settings.passkeys.attestation.androidKeys == .any && settings.passkeys.attestation.tpmSignatures == .sha1
        )
        #expect(settings.passkeys.attestation.metadataGrace == .days(2))
        #expect(settings.passkeys.attestation.conveyance == .direct && settings.passkeys.counter == .flag)
        #expect(
            settings.passkeys.apps.android.map(\.text) == ["com.example.app \(Self.fingerprint)"],
            "as keytool prints it"
        )
        #expect(settings.passkeys.sessions == WebSessionPolicy(idle: .seconds(3600), lifetime: .days(2)))
    }

    @Test func `the names that other servers of passkeys are configured by set the same keys`() throws {
        var fixture = SettingsFixture.minimal(Self.serving)
        fixture.environment["RP_ID"] = "example.com"
        fixture.environment["ORIGIN"] = "https://login.example.com,https://example.com"
        fixture.environment["SESSION_SECRET"] = "hush"
        let first = try fixture.load()
        #expect(first.settings.relyingParty.id == "example.com")
        #expect(first.settings.relyingParty.origins == ["https://login.example.com", "https://example.com"])
        #expect(first.origins["passkeys.rpID"] == .environment("RP_ID", key: "passkeys.rpID"))
        fixture.environment["VESTIBULE_PASSKEYS__RPID"] = "login.example.com"
        fixture.environment["ORIGIN"] = "https://login.example.com"
        #expect(try fixture.load().settings.relyingParty.id == "login.example.com", "our own name is over them")

        var other = SettingsFixture.minimal(Self.serving)
        other.environment["RPID"] = "localhost"
        other.environment["RPDISPLAYNAME"] = "Passkeys Sample"
        other.environment["EXPECTED_ORIGIN"] = "http://localhost:5000"
        let second = try other.load().settings.relyingParty
        #expect(second.id == "localhost" && second.name == "Passkeys Sample")
        #expect(second.origins == ["http://localhost:5000"])
        other.environment["RP_ID"] = "example.com"
        #expect(
            other.faults().count == 1 && other.faults().first?.hasPrefix("RP_ID: contradicts another variable") == true
        )
    }

    @Test(
        arguments: [
            ("rpID", "https://example.com", "is more than a domain. Write it without scheme, port and path"),
            ("rpID", "Example.com", "is not a domain in lower case"),
            ("rpID", "127.0.0.1", "is an IP address. Browsers accept passkeys only for domain names"),
            ("counter", "ignore", "is not one of refuse, flag"),
        ]
    )
    func `a value that can't be one is refused with its place`(_ key: String, _ value: String, _ why: String) {
        let faults = SettingsFixture.minimal("passkeys:\n  \(key): \(value)\n").faults()
        #expect(faults == ["config/vestibule.yaml:4: passkeys.\(key): \"\(value)\" \(why)"])
    }

    @Test(
        arguments: [
            ("origins", "login.example.com"), ("origins", "https://login.example.com/"),
            ("origins", "android:apk-key-hash:AAAA"), ("appleApps", "com.example.app"),
            ("androidApps", "com.example.app"), ("androidApps", "com.example.app AB:CD"),
            ("relatedOrigins", "android:apk-key-hash:nyISFFWSraq1Fs3OtjGQOK01NBGxVAyNaRcRUaHZQmw"),
        ]
    )
    func `an entry of a list that can't be one is refused with its place`(_ key: String, _ value: String) {
        let faults = SettingsFixture.minimal("passkeys:\n  \(key): ['\(value)']\n").faults()
        #expect(faults.count == 1)
        #expect(faults.first?.hasPrefix("config/vestibule.yaml:4: passkeys.\(key)[0]: ") == true)
    }

    @Test func `a page asks for passkeys only where somebody can have any, and where it asks at all`() throws {
        let asking = "clients: {shop: {confirmWith: passkey-if-any, landing: LANDING}}\n"
        let unserved = SettingsFixture.minimal(asking.replacing("LANDING", with: "confirm"))
        #expect(
            unserved.faults() == [
                "config/vestibule.yaml:3: clients.shop.confirmWith: asks for passkeys, but nobody can have any. "
                    + "Enable surfaces.yapt or surfaces.passkeys, or write press"
            ]
        )
        for (landing, warned) in [("confirm", []), ("redirect", ["clients.shop.confirmWith"])] {
            let loaded = try SettingsFixture.minimal(Self.serving + asking.replacing("LANDING", with: landing)).load()
            #expect(loaded.warnings.map(\.key).filter { $0.hasSuffix("confirmWith") } == warned)
            let policy = loaded.settings.clients[0].policy(loaded.settings.faceLogin)
            #expect(policy.landing.confirmation == .passkeyIfAny)
        }
        let plain = try SettingsFixture.minimal("clients: {shop: {}}\n").load().settings
        #expect(plain.clients[0].policy(plain.faceLogin).landing.confirmation == .press)
        let other = SettingsFixture.minimal("clients: {shop: {confirmWith: passkey}}\n").faults()
        #expect(
            other == [
                #"config/vestibule.yaml:3: clients.shop.confirmWith: "passkey" is not one of press, passkey-if-any"#
            ]
        )
    }

    @Test func `passkey origins that do not fit the relying party id are errors`() {
        let foreign = SettingsFixture.minimal(
            Self.serving + "passkeys: {rpID: example.com, origins: [https://example.net]}\n"
        )
        #expect(foreign.faults().count == 1)
        #expect(foreign.faults().first?.contains("passkeys.origins[0]") == true)
        let plain = SettingsFixture.minimal(
            Self.serving + "passkeys: {rpID: example.com, relatedOrigins: [http://localhost:3000]}\n"
        )
        let told = plain.faults().filter { $0.contains("passkeys.relatedOrigins[0]") }
        #expect(told.count == 1)
        let lonely = SettingsFixture.minimal(Self.serving + "passkeys: {customRPIDs: [example.net]}\n")
        #expect(lonely.faults().contains { $0.contains("passkeys.customRPIDs[0]") && $0.contains("has no origin") })
        let idle = SettingsFixture.minimal("passkeys: {sessionIdle: 2d, sessionLifetime: 1d}\n")
        #expect(idle.faults().first?.contains("passkeys.sessionIdle: is longer than sessionLifetime") == true)
    }

    @Test func `an origin whose pages could not ask is warned about`() throws {
        let fixture = SettingsFixture.minimal(
            Self.serving + """
                publicURL: https://login.example.com
                passkeys:
                  rpID: example.com
                  origins: [https://login.example.com, https://app.example.com]
                  relatedOrigins: [https://example.net]

                """
        )
        let warned = try fixture.load().warnings.map(\.key).filter { $0.hasPrefix("passkeys.") }
        #expect(warned == ["passkeys.origins[1]", "passkeys.relatedOrigins[0]"])
    }

    @Test func `an address as host is warned about, and so is a list of everybody`() throws {
        let fixture = SettingsFixture.minimal(
            Self.serving + "publicURL: http://127.0.0.1:8080\npasskeys: {listUsers: true}\n"
        )
        let warned = try fixture.load().warnings.map(\.key)
        #expect(warned.contains("passkeys.rpID") && warned.contains("passkeys.listUsers"))
        #expect(try fixture.load().settings.relyingParties.isEmpty)
    }
}
