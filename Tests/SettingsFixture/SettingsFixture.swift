package import Kernel
package import Settings

/// A config in memory: its files, its environment, and what was asked for on the command line.
package struct SettingsFixture {
    /// By absolute path.
    package var files: [String: (text: String, permissions: Int)] = [:]
    /// Files that are no text, by absolute path.
    package var images: [String: [UInt8]] = [:]
    package var environment: [String: String] = [:]
    package var overrides: [String] = []
    package var configFile: String? = "config/vestibule.yaml"
    package var dataFolder = "/data"
    /// The time of reading.
    package var now: Instant?

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
        SettingsLoader(files: disk)
    }

    /// The files, and folders of those files.
    package var disk: SettingsFiles {
        let (files, images) = (files, images)
        return SettingsFiles(
            read: { path in files[path].map { .text($0.text, permissions: $0.permissions) } ?? .missing },
            bytes: { path in (images[path] ?? files[path].map { Array($0.text.utf8) }).map { .bytes($0) } ?? .missing },
            names: { folder in
                let names = files.keys.filter { $0.hasPrefix(folder + "/") }.map {
                    String($0.dropFirst(folder.utf8.count + 1))
                }
                return names.isEmpty ? nil : names.sorted()
            }
        )
    }

    private var sources: SettingsSources {
        SettingsSources(
            configFile: configFile,
            workingFolder: "/srv/vestibule-test",
            dataFolder: dataFolder,
            overrides: overrides,
            environment: environment,
            now: now
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
