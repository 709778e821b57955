package import Settings

/// A config in memory: its files, its environment, and what was asked for on the command line.
package struct SettingsFixture {
    /// By absolute path.
    package var files: [String: (text: String, permissions: Int)] = [:]
    package var environment: [String: String] = [:]
    package var overrides: [String] = []
    package var configFile: String? = "config/vestibule.yaml"
    package var dataFolder = "/data"

    package init() {}

    /// A main file with these lines, and a provider that it can name.
    package init(_ main: String) {
        files["/srv/vestibule-test/config/vestibule.yaml"] = (main, 0o644)
        files["/srv/vestibule-test/config/providers/mock.yaml"] = (Self.mock, 0o644)
    }

    package static let mock = """
        kind: authid
        baseURL: http://127.0.0.1:8090
        keyID: env:KEY_ID
        keyValue: env:KEY_VALUE
        """

    package static let minimalText = "faceLogin: {provider: mock}\nproviders: {mock: providers/mock.yaml}\n"

    /// The least that holds, with room for more keys.
    package static func minimal(_ more: String = "") -> Self {
        var fixture = Self(minimalText + more)
        fixture.environment = ["KEY_ID": "an-id", "KEY_VALUE": "a-value"]
        return fixture
    }

    package func setting(_ overrides: String...) -> Self {
        var copy = self
        copy.overrides += overrides
        return copy
    }

    package func load() throws(SettingsErrors) -> LoadedSettings { try loader.load(sources) }

    /// Where a command would ask a running daemon.
    package func adminAddress() throws(SettingsErrors) -> AdminAddress { try loader.adminAddress(sources) }

    private var loader: SettingsLoader {
        let files = files
        return SettingsLoader(
            files: SettingsFiles { path in
                files[path].map { .text($0.text, permissions: $0.permissions) } ?? .missing
            }
        )
    }

    private var sources: SettingsSources {
        SettingsSources(
            configFile: configFile,
            workingFolder: "/srv/vestibule-test",
            dataFolder: dataFolder,
            overrides: overrides,
            environment: environment
        )
    }

    /// The faults as they are printed, none when the config holds.
    package func faults() -> [String] {
        do throws(SettingsErrors) {
            _ = try load()
            return []
        } catch {
            return error.findings.map(\.description)
        }
    }
}
