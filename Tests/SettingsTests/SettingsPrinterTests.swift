import FoundationEssentials
import SettingsFixture
import Testing

@testable import Settings

struct SettingsPrinterTests {
    private let fixture = SettingsFixture.minimal(
        """
        clients:
          shop: {name: 'yes: "no"', returnURLs: ['com.example.shop:/a,b']}
        publicURL: https://login.example.com
        """
    )

    @Test func `each value is shown with its source`() throws {
        var fixture = fixture.setting("listen.port=9000")
        fixture.environment["VESTIBULE_LOG__LEVEL"] = "debug"
        let lines = try ConfigPrinter(loaded: fixture.load()).yaml().split(separator: "\n")
        func source(_ start: String) -> String? {
            lines.first { $0.drop { $0 == " " }.hasPrefix(start) }?.split(separator: "# ").last.map(String.init)
        }
        #expect(source("port: 9000 ") == "--set listen.port")
        #expect(source("level: debug ") == "VESTIBULE_LOG__LEVEL")
        #expect(source("publicURL: https://login.example.com ") == "config/vestibule.yaml:5")
        #expect(source("keyID: env:KEY_ID ") == "config/providers/mock.yaml:3")
        #expect(source("lifetime: 3m ") == "default")
        #expect(source("tls: null ") == "default")
    }

    @Test func `what is shown means the same when it is read again`() throws {
        let loaded = try fixture.load()
        var again = SettingsFixture(ConfigPrinter(loaded: loaded, explains: true).yaml())
        again.environment = fixture.environment
        #expect(try again.load().settings == loaded.settings)
    }

    // T-217
    @Test(arguments: [false, true])
    func `no secret is shown`(asJSON: Bool) throws {
        var fixture = fixture.setting("providers.mock.keyValue=written-out", "providers.mock.keyID=file:key")
        fixture.files["/data/key"] = ("kept-elsewhere", 0o600)
        let printer = ConfigPrinter(loaded: try fixture.load())
        let output = asJSON ? try printer.json() : printer.yaml()
        #expect(!output.contains("written-out"))
        #expect(!output.contains("kept-elsewhere"))
        #expect(output.contains("file:key"))
        #expect(output.contains("<secret>"))
    }

    @Test func `the placeholder that config show prints for a secret is refused as a value`() {
        #expect(
            fixture.setting("providers.mock.keyValue=<secret>").faults() == [
                "--set providers.mock.keyValue: is what config show prints instead of a secret. Write the secret"
            ]
        )
    }

    @Test func `config show as JSON has every key with its source and its value's type`() throws {
        struct Report: Decodable {
            struct Text: Decodable {
                let value: String
                let source: String
            }
            struct Number: Decodable { let value: Int }
            struct Flag: Decodable { let value: Bool }
            struct List: Decodable { let value: [String] }
            struct Keys: Decodable {
                let publicURL: Text
                let port: Number
                let access: Flag
                let returnURLs: List
                enum CodingKeys: String, CodingKey {
                    case publicURL
                    case port = "listen.port"
                    case access = "log.access"
                    case returnURLs = "clients.shop.returnURLs"
                }
            }
            let settings: Keys
            let warnings: [String]
        }
        let json = try ConfigPrinter(loaded: fixture.setting("limits.off=true").load()).json()
        let report = try JSONDecoder().decode(Report.self, from: Data(json.utf8))
        #expect(report.settings.publicURL.value == "https://login.example.com")
        #expect(report.settings.publicURL.source == "config/vestibule.yaml:5")
        #expect(report.settings.port.value == 8080)
        #expect(report.settings.access.value)
        #expect(report.settings.returnURLs.value == ["com.example.shop:/a,b"])
        #expect(report.warnings == ["--set limits.off: the rate limiters are off"])
    }
}
