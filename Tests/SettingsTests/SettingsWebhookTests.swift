import FaceProviders
import Foundation
import Kernel
import SettingsFixture
import Testing

@testable import Settings

struct SettingsWebhookTests {
    private static let secret = "whsec_" + Data(repeating: 1, count: 32).base64EncodedString()

    /// A provider with these lines below `webhook:`, each two spaces in.
    private func fixture(_ lines: String) -> SettingsFixture {
        var fixture = SettingsFixture.minimal()
        fixture.files["/srv/vestibule-test/config/providers/mock.yaml"] = (
            SettingsFixture.mock + "\nwebhook:\n" + lines, 0o644
        )
        fixture.environment["HOOK"] = Self.secret
        fixture.environment["OLD_HOOK"] = "whsec_" + Data(repeating: 2, count: 24).base64EncodedString()
        fixture.environment["PLAIN"] = "a provider's own key"
        return fixture
    }

    private func webhook(_ fixture: SettingsFixture) throws -> WebhookSettings {
        try #require(try fixture.load().settings.providers["mock"]?.webhook)
    }

    @Test func `without a webhook section a provider has none`() throws {
        #expect(try SettingsFixture.minimal().load().settings.providers["mock"]?.webhook == nil)
    }

    @Test func `the least is the secrets and the way to the scan`() throws {
        let webhook = try webhook(fixture("  secrets: [env:HOOK, env:OLD_HOOK]\n  reference: /data/id"))
        #expect(webhook.scheme == .standard)
        #expect(webhook.verifier.tolerance == .seconds(300))
        #expect(webhook.verifier.keys.map { $0.expose() }.first == Self.secret)
        #expect(webhook.configuration.keys.count == 2)
        #expect(webhook.configuration.scheme == .standard)
    }

    @Test func `an HMAC header has its form and its time`() throws {
        let lines = """
              scheme: hmac
              secrets: [env:PLAIN]
              reference: /payload/session/id
              header: X-Hub-Signature
              form: base64
              timestampHeader: X-Time
              tolerance: 1m
            """
        let header = WebhookConfiguration.HMACHeader(name: "X-Hub-Signature", form: .base64, timestampHeader: "X-Time")
        #expect(try webhook(fixture(lines)).configuration.scheme == .hmac(header))
    }

    @Test func `every fault has its file, its line and its key`() {
        let file = "config/providers/mock.yaml"
        let key = "providers.mock.webhook"
        #expect(
            fixture("  scheme: standrd\n  tolerance: 5\n  reference: data\n  header: a b").faults() == [
                #"\#(file):6: \#(key).scheme: "standrd" is not one of standard, hmac"#,
                "\(file):6: \(key).secrets: is missing. Write a list, each env:NAME or file:PATH",
                #"\#(file):7: \#(key).tolerance: "5" is not a duration. Write a number and a unit, like 90s, 15m or 30d"#,
                #"\#(file):8: \#(key).reference: "data" is not a JSON pointer. Write the path to a value, like /data/id"#,
                #"\#(file):9: \#(key).header: "a b" is not the name of a header"#,
            ]
        )
        #expect(
            fixture("  secrets: [env:PLAIN, env:NOWHERE]\n  reference: /id\n  header: X\n  form: hex").faults() == [
                "\(file):6: \(key).secrets[0]: is not whsec_ and 24 to 64 bytes in base64",
                "\(file):6: \(key).secrets[1]: the environment has no variable NOWHERE",
                "\(file):8: \(key).header: is only for scheme hmac. The scheme standard has its own headers",
                "\(file):9: \(key).form: is only for scheme hmac. The scheme standard has its own headers",
            ]
        )
        #expect(
            fixture("  scheme: hmac\n  secrets: [short]\n  reference: /id\n  form: stamped\n  timestampHeader: X")
                .faults()
                == [
                    "\(file):5: \(key).header: is missing. The scheme hmac needs the name of the signature's header",
                    "\(file):7: \(key).secrets[0]: has fewer than 16 characters",
                    "\(file):10: \(key).timestampHeader: is not for form stamped, whose header includes the time",
                ]
        )
        for secrets in ["[]", "env:HOOK", "{a: b}"] {
            #expect(fixture("  secrets: \(secrets)\n  reference: /id").faults().count == 1, "\(secrets)")
        }
    }

    @Test func `an override writes secrets with commas, and nothing shows them`() throws {
        let fixture = fixture("  secrets: [env:HOOK]\n  reference: /data/id")
            .setting("providers.mock.webhook.secrets=env:HOOK,env:OLD_HOOK")
        let loaded = try fixture.load()
        #expect(loaded.settings.providers["mock"]?.webhook?.verifier.keys.count == 2)
        for text in [ConfigPrinter(loaded: loaded).yaml(), try ConfigPrinter(loaded: loaded).json()] {
            #expect(text.contains("env:OLD_HOOK"))
            #expect(!text.contains("whsec_"))
        }
    }

    @Test func `a secret that is written out is warned about, shown by nothing, and refused in production`() throws {
        let fixture = fixture("  secrets: [\"\(Self.secret)\"]\n  reference: /data/id")
        let loaded = try fixture.load()
        #expect(loaded.warnings.contains { $0.key == "providers.mock.webhook.secrets[0]" })
        let shown = ConfigPrinter(loaded: loaded).yaml()
        #expect(!shown.contains(Self.secret))
        #expect(shown.contains("<secret>"))
        #expect(
            fixture.setting("mode=production").faults().contains {
                $0.contains("webhook.secrets[0]: is a secret in plain text")
            }
        )
    }

    @Test func `an HMAC webhook without a timestamp is warned about`() throws {
        let lines = "  scheme: hmac\n  secrets: [env:PLAIN]\n  reference: /id\n  header: X-Signature"
        let warnings = try fixture(lines).load().warnings
        #expect(warnings.contains { $0.key == "providers.mock.webhook" && $0.message.contains("10m") })
    }
}
