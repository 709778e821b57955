import SettingsFixture
import Testing

@testable import Settings

/// A command reads the daemon's address without what only the daemon may read.
struct AdminAddressTests {
    @Test func `the admin address is read from a config with other errors and without secrets`() throws {
        var fixture = SettingsFixture(
            """
            mode: production
            listen: {host: 0.0.0.0, prot: 1}
            tls: {certificate: /nowhere, key: /nowhere}
            providers: {authid: providers/missing.yaml}
            """
        )
        #expect(!fixture.faults().isEmpty, "the whole config would hold as well, so that this shows nothing")
        #expect(try fixture.adminAddress() == AdminAddress(dataFolder: "/data", socket: "/data/vestibule.sock"))
        fixture.dataFolder = "here"
        #expect(try fixture.adminAddress().dataFolder == "/srv/vestibule-test/here")
    }

    @Test func `the admin address has the socket that the whole config has`() throws {
        var fixture = SettingsFixture.minimal("listen: {adminSocket: run/admin.sock}\n")
        #expect(try fixture.adminAddress().socket == "/data/run/admin.sock")
        #expect(try fixture.adminAddress().socket == fixture.load().settings.adminSocket)
        fixture.environment["VESTIBULE_LISTEN__ADMINSOCKET"] = "/run/a.sock"
        #expect(try fixture.adminAddress().socket == "/run/a.sock")
        #expect(try fixture.adminAddress().socket == fixture.load().settings.adminSocket)
        fixture = fixture.setting("listen.adminSocket=b.sock", "log.level=nonsense")
        #expect(try fixture.adminAddress().socket == "/data/b.sock")
    }

    @Test func `a config that can't be read at all is a fault`() {
        var missing = SettingsFixture.minimal()
        missing.configFile = "elsewhere.yaml"
        #expect(throws: SettingsErrors.self) { try missing.adminAddress() }
        #expect(throws: SettingsErrors.self) { try SettingsFixture("a: [b\n").adminAddress() }
        #expect(throws: SettingsErrors.self) { try SettingsFixture.minimal().setting("nonsense").adminAddress() }
        #expect(throws: SettingsErrors.self) {
            try SettingsFixture.minimal("listen: {adminSocket: [a]}\n").adminAddress()
        }
    }
}
