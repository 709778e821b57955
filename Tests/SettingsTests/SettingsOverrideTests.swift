import FaceProviders
import Kernel
import Operations
import SettingsFixture
import Testing

@testable import Settings

struct SettingsOverrideTests {
    @Test func `a variable's name is matched whatever its case`() throws {
        var fixture = SettingsFixture.minimal()
        fixture.environment["VESTIBULE_publicURL"] = "https://login.example.com"
        fixture.environment["VESTIBULE_LISTEN__MAXCONNECTIONS"] = "7"
        let settings = try fixture.load().settings
        #expect(settings.publicURL == "https://login.example.com")
        #expect(settings.listen.connections.most == 7)
    }

    @Test(arguments: ["VESTIBULE_CLIENTS__WEB_SHOP__AUDIENCE", "VESTIBULE_clients__web-shop__audience"])
    func `a variable finds a client with a hyphen`(name: String) throws {
        var fixture = SettingsFixture.minimal("clients: {web-shop: {}, webshop: {}}")
        fixture.environment[name] = "shoppers"
        #expect(try fixture.load().settings.clients.map(\.audience) == ["shoppers", "webshop"])
    }

    @Test func `a variable finds a client with an underscore`() throws {
        var fixture = SettingsFixture.minimal("clients: {web_shop: {}}")
        fixture.environment["VESTIBULE_CLIENTS__WEB_SHOP__AUDIENCE"] = "shoppers"
        #expect(try fixture.load().settings.clients.map(\.audience) == ["shoppers"])
    }

    @Test func `an override may add a client`() throws {
        let fixture = SettingsFixture.minimal().setting("clients.shop.verifier=optional")
        let client = try #require(try fixture.load().settings.clients.first)
        #expect(client.id == "shop")
        #expect(client.verifier == .optional)
    }

    @Test func `an override reaches into a provider's file, and may choose another file`() throws {
        var fixture = SettingsFixture.minimal().setting(
            "providers.mock.requestTimeout=4s",
            "providers.mock=providers/other.yaml"
        )
        fixture.files["/srv/vestibule-test/config/providers/other.yaml"] = (
            SettingsFixture.mock + "\nmaxConcurrentChecks: 3\nrequestTimeout: 9s", 0o644
        )
        guard case .authID(let account) = try #require(try fixture.load().settings.providers["mock"]).adapter else {
            return
        }
        #expect(account.calls.requestTimeout == .seconds(4))
        #expect(account.calls.checkConcurrency == 3)
    }

    @Test func `a list is written with commas`() throws {
        let fixture = SettingsFixture.minimal()
            .setting("clients.shop.returnURLs=https://shop.example.com/done, com.example.shop:/done")
        let client = try #require(try fixture.load().settings.clients.first)
        #expect(client.returnURLs == ["https://shop.example.com/done", "com.example.shop:/done"])
    }

    @Test func `reserved, empty and foreign variables set nothing`() throws {
        var fixture = SettingsFixture.minimal()
        fixture.environment["VESTIBULE_CONFIG"] = "x"
        fixture.environment["VESTIBULE_DATA"] = "y"
        fixture.environment["VESTIBULE_NONSENSE"] = ""
        fixture.environment["LISTEN__PORT"] = "1"
        #expect(try fixture.load().settings == SettingsFixture.minimal().load().settings)
    }

    @Test func `a variable that a secret comes from is no key`() throws {
        var fixture = SettingsFixture.minimal().setting("providers.mock.keyID=env:VESTIBULE_KEY")
        fixture.environment["VESTIBULE_KEY"] = "from-there"
        guard case .authID(let account) = try #require(try fixture.load().settings.providers["mock"]).adapter else {
            return
        }
        #expect(account.keyID.expose() == "from-there")
    }

    @Test func `faults of overrides name the override`() {
        var fixture = SettingsFixture.minimal().setting(
            "faceLogin.lifetime=3x",
            "faceLogin.lifetme=200s",
            "listen.host.name=x",
            "oops",
            "=x",
            "a..b=c"
        )
        fixture.environment["VESTIBULE_FACELOGIN__POLLINTERVAL"] = "31s"
        fixture.environment["VESTIBULE_LISTN__PORT"] = "80"
        #expect(
            fixture.faults() == [
                #"VESTIBULE_FACELOGIN__POLLINTERVAL: "31s" is out of range. It takes 1s to 30s"#,
                "VESTIBULE_LISTN__PORT: listn: unknown key. Did you mean listen?",
                "--set : write it as KEY=VALUE",
                "--set a..b: the key contains an empty name",
                #"--set faceLogin.lifetime: "3x" is not a duration. Write a number and a unit, like 90s, 15m or 30d"#,
                "--set faceLogin.lifetme: unknown key. Did you mean lifetime?",
                "--set listen.host.name: listen.host: takes one value: "
                    + "an address or a host name, like 127.0.0.1, :: or 0.0.0.0",
                "--set oops: write it as KEY=VALUE",
            ]
        )
    }
}
