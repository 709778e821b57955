import ArgumentParser
import Settings
import Testing

@testable import Vestibule

struct SettingsOptionsTests {
    @Test func `the options of a command fall back to the environment`() throws {
        let environment = ["VESTIBULE_CONFIG": "c.yaml", "VESTIBULE_DATA": "d"]
        let bare = try SettingsOptions.parse([]).sources(environment: environment, workingFolder: "/srv/vestibule-test")
        #expect(bare.configFile == "c.yaml")
        #expect(bare.dataFolder == "d")
        let given = try SettingsOptions.parse(["--config", "a", "--data", "b", "--set", "x=1", "--set", "y=-2"])
            .sources(environment: environment, workingFolder: "/srv/vestibule-test")
        #expect(given.configFile == "a")
        #expect(given.dataFolder == "b")
        #expect(given.overrides == ["x=1", "y=-2"])
        let nothing = try SettingsOptions.parse([]).sources(environment: [:], workingFolder: "/srv/vestibule-test")
        #expect(nothing.configFile == nil)
        #expect(nothing.dataFolder == "data")
    }
}
