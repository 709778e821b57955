import FaceProviders
import Kernel
import SettingsFixture
import Testing

@testable import Settings

struct SettingsSecretTests {
    /// A production config whose provider's key is written as `reference`.
    private func production(_ reference: String) -> SettingsFixture {
        var fixture = SettingsFixture.minimal(
            "mode: production\npublicURL: https://login.example.com\nclients: {shop: {}}"
        )
        fixture.files["/srv/vestibule-test/config/providers/mock.yaml"]?.text = """
            kind: authid
            baseURL: https://id.example.com
            keyID: env:KEY_ID
            keyValue: '\(reference)'
            """
        return fixture
    }

    private func keyValue(_ fixture: SettingsFixture) throws -> String? {
        guard case .authID(let account) = try fixture.load().settings.providers["mock"]?.adapter else { return nil }
        return account.keyValue.expose()
    }

    @Test(arguments: ["hush", "hush\n", "hush\r\n"])
    func `a secret's file is relative to the data folder, and its last line break is not the secret's`(
        text: String
    ) throws {
        var fixture = production("file:secrets/key")
        fixture.files["/data/secrets/key"] = (text, 0o600)
        #expect(try keyValue(fixture) == "hush")
    }

    // T-219
    @Test(arguments: [0o640, 0o604, 0o620, 0o644, 0o610])
    func `production refuses a secret's file that others can open`(permissions: Int) throws {
        var fixture = production("file:/srv/key")
        fixture.files["/srv/key"] = ("hush", permissions)
        let bits = String(permissions, radix: 8)
        #expect(
            fixture.faults() == [
                "config/providers/mock.yaml:4: providers.mock.keyValue: "
                    + "/srv/key is accessible to others (\(bits)). Set its mode to 600 or 400"
            ]
        )
        #expect(try keyValue(fixture.setting("mode=laptop")) == "hush")
    }

    @Test func `a credential of systemd may show its access list's mask`() throws {
        var fixture = production("file:/run/credentials/vestibule.service/key")
        fixture.files["/run/credentials/vestibule.service/key"] = ("hush", 0o440)
        #expect(fixture.faults().count == 1)
        fixture.environment["CREDENTIALS_DIRECTORY"] = "/run/credentials/vestibule.service"
        #expect(try keyValue(fixture) == "hush")
        fixture.environment["CREDENTIALS_DIRECTORY"] = "/run/credentials/vestibule"
        #expect(fixture.faults().count == 1)
    }

    // T-219
    @Test(
        arguments: [
            ("file:gone", "the file /data/gone does not exist"), ("file:", "has no path after file:"),
            ("env:", "has no name of a variable after env:. Write it like env:AUTHID_KEY_ID"),
            ("env:hush-hush", "has no name of a variable after env:. Write it like env:AUTHID_KEY_ID"),
            ("env:GONE", "the environment has no variable GONE"),
            ("env:EMPTY", "the variable EMPTY is empty"),
            ("env:LINES", "has a line break or another control character in it"),
            ("hush", "is a secret in plain text. Production takes env:NAME or file:PATH"), ("file:empty", "is empty"),
        ])
    func `a secret that cannot be had is a fault that does not tell it`(reference: String, message: String) {
        var fixture = production(reference)
        fixture.environment["EMPTY"] = ""
        fixture.environment["LINES"] = "hush\nhush"
        fixture.files["/data/empty"] = ("\n", 0o600)
        let faults = fixture.faults()
        #expect(faults == ["config/providers/mock.yaml:4: providers.mock.keyValue: \(message)"])
        #expect(!faults.joined().contains("hush"))
    }

    @Test func `a key id has no colon, which would end it in HTTP Basic`() {
        var fixture = SettingsFixture.minimal()
        fixture.environment["KEY_ID"] = "a:b"
        #expect(fixture.faults() == ["config/providers/mock.yaml:3: providers.mock.keyID: has a colon in it"])
    }

    // T-068
    @Test func `a laptop takes a secret that is written out, and is warned`() throws {
        let loaded = try production("hush").setting("mode=laptop").load()
        #expect(
            loaded.warnings.map(\.description) == [
                "config/providers/mock.yaml:4: providers.mock.keyValue: is a secret in plain text. "
                    + "Write env:NAME or file:PATH to keep it out of the config"
            ]
        )
    }
}
