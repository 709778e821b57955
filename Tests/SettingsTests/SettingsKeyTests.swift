import Kernel
import SettingsFixture
import Testing
import TokenReading
import Tokens

@testable import Settings

struct SettingsKeyTests {
    private func faults(_ text: String) -> [String] { SettingsFixture.minimal(text).faults() }

    @Test func `keys rotate and are published by the config, and are encrypted where it says so`() throws {
        let plain = try SettingsFixture.minimal().load().settings.secrets
        #expect(plain.ring.rotation == .days(90) && plain.ring.announcement == .days(1))
        #expect(plain.sealingKey == nil && plain.folderEncryptionKeys.isEmpty)
        var fixture = SettingsFixture.minimal(
            "secrets: {rotateEvery: 30d, publishBeforeSigning: 2h, signingAlgorithm: rs256, sealingKey: env:NEW, "
                + "earlierSealingKeys: [env:OLD]}"
        )
        fixture.environment["NEW"] = String(repeating: "n", count: 32)
        fixture.environment["OLD"] = String(repeating: "o", count: 32)
        let settings = try fixture.load().settings.secrets
        #expect(settings.folderEncryptionKeys.map { $0.expose().prefix(1) } == ["n", "o"])
        let policy = settings.ring
        #expect(policy.algorithm.rawValue == "RS256")
        #expect(policy.rotation == .days(30) && policy.announcement == .seconds(7200))
        let off = try SettingsFixture.minimal("secrets: {rotateEvery: 0s}").load()
        #expect(off.settings.secrets.ring.rotation == nil)
        #expect(ConfigPrinter(loaded: off).yaml().contains("rotateEvery: 0s"))
    }

    @Test func `an earlier sealing key alone encrypts and decrypts nothing`() throws {
        var fixture = SettingsFixture.minimal("secrets: {earlierSealingKeys: [env:OLD]}")
        fixture.environment["OLD"] = String(repeating: "o", count: 32)
        #expect(try fixture.load().settings.secrets.folderEncryptionKeys.isEmpty)
    }

    @Test func `faults of the keys are named`() {
        let found = faults("secrets: {rotateEvery: 1h}")
        #expect(found.count == 1)
        #expect(found[0].hasSuffix("secrets.rotateEvery: is shorter than publishBeforeSigning (1d)"))
        #expect(faults("secrets: {publishBeforeSigning: 5m}").first?.contains("10m") == true)
        var short = SettingsFixture.minimal("secrets: {sealingKey: env:SHORT}")
        short.environment["SHORT"] = "short"
        #expect(short.faults().first?.contains("openssl rand -base64 32") == true)
        #expect(!short.faults().joined().contains("\"short\""))
    }

    // MARK: Origins

    @Test func `origins are listed as browsers send them`() throws {
        let written =
            "listen: {corsOrigins: [\"https://app.example.com\", \"http://localhost:3000\", \"https://[2001:db8::1]:8443\"]}"
        let origins = try SettingsFixture.minimal(written).load().settings.listen.corsOrigins
        #expect(origins == ["https://app.example.com", "http://localhost:3000", "https://[2001:db8::1]:8443"])
        let outside = SettingsFixture.minimal().setting(
            "listen.corsOrigins=https://a.example.com,https://b.example.com"
        )
        #expect(try outside.load().settings.listen.corsOrigins == ["https://a.example.com", "https://b.example.com"])
    }

    @Test(arguments: [
        "null", "*", "app.example.com", "https://", "https://app.example.com/", "https://app.example.com/path",
        "https://app.example.com:443", "http://app.example.com:80", "https://APP.example.com", "https://*.example.com",
        "https://user@app.example.com", "https://app.example.com?x=1", "capacitor://localhost", "file://",
    ])
    func `attack: an origin that browsers never send, and null, are refused in listen.corsOrigins`(origin: String) {
        let found = faults("listen: {corsOrigins: [\"\(origin)\"]}")
        #expect(found.count == 1 && found[0].contains("listen.corsOrigins[0]"), "\(found)")
    }
}
