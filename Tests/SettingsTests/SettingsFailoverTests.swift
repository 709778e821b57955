import SettingsFixture
import Testing

@testable import Settings

struct SettingsFailoverTests {
    private func fixture(_ failover: String) -> SettingsFixture {
        var fixture = SettingsFixture(
            """
            faceLogin:
              provider: mock
              failover: \(failover)
            providers: {mock: providers/mock.yaml, second: providers/mock.yaml, third: providers/mock.yaml}
            """
        )
        fixture.environment = ["KEY_ID": "an-id", "KEY_VALUE": "a-value"]
        return fixture
    }

    @Test func `without faceLogin.failover there is no standby provider`() throws {
        #expect(try SettingsFixture.minimal().load().settings.faceLogin.failover == [])
    }

    @Test func `standby providers are tried in the order of the config`() throws {
        #expect(try fixture("[third, second]").load().settings.faceLogin.failover == ["third", "second"])
        let set = fixture("[third]").setting("faceLogin.failover=second,third")
        #expect(try set.load().settings.faceLogin.failover == ["second", "third"])
    }

    @Test func `unknown, own and repeated names in faceLogin.failover are errors`() {
        let place = "config/vestibule.yaml:3: faceLogin.failover"
        #expect(
            fixture("[forth, mock, second, second]").faults() == [
                #"\#(place)[0]: "forth" is not one of the providers (mock, second, third)"#,
                #"\#(place)[1]: "mock" is the provider itself"#, #"\#(place)[3]: "second" is written twice"#,
            ]
        )
        #expect(fixture("second").faults().count == 1, "a name is no list")
    }
}
