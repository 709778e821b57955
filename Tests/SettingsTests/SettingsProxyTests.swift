import SettingsFixture
import Testing

@testable import Settings

/// The proxies whose word about addresses is taken.
struct SettingsProxyTests {
    @Test func `nobody is trusted by default`() throws {
        #expect(try SettingsFixture.minimal().load().settings.listen.trustedProxies.isEmpty)
    }

    @Test func `proxies are addresses and blocks, in the file or from outside`() throws {
        let written = SettingsFixture.minimal("listen: {trustedProxies: [10.0.0.0/8, \"::1\", 192.0.2.7]}")
        #expect(try written.load().settings.listen.trustedProxies == ["10.0.0.0/8", "::1", "192.0.2.7"])
        let outside = SettingsFixture.minimal().setting("listen.trustedProxies=10.0.0.0/8, 2001:db8::/32")
        #expect(try outside.load().settings.listen.trustedProxies == ["10.0.0.0/8", "2001:db8::/32"])
    }

    @Test func `an invalid or all-matching block in trustedProxies is an error with its line`() {
        let fixture = SettingsFixture.minimal(
            """
            listen:
              trustedProxies:
                - proxy.example.com
                - 10.0.0.1/8
                - 0.0.0.0/0
                - ::/0
            """
        )
        #expect(
            fixture.faults() == [
                #"config/vestibule.yaml:5: listen.trustedProxies[0]: "proxy.example.com" is not an address or a block. "#
                    + "Write one like 10.0.0.0/8",
                #"config/vestibule.yaml:6: listen.trustedProxies[1]: "10.0.0.1/8" has bits after its prefix. "#
                    + "Did you mean 10.0.0.0/8?",
                #"config/vestibule.yaml:7: listen.trustedProxies[2]: "0.0.0.0/0" covers every address. "#
                    + "List only your proxies",
                #"config/vestibule.yaml:8: listen.trustedProxies[3]: "::/0" covers every address. List only your proxies"#,
            ]
        )
    }
}
