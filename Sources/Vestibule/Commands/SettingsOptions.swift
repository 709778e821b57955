import ArgumentParser
import FoundationEssentials
import Kernel
import Settings

/// The options that name the sources of the settings, for every command that needs settings.
struct SettingsOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The config file.",
            discussion: "Default: VESTIBULE_CONFIG, else the built-in config, which is config/vestibule.yaml.",
            valueName: "file"
        )
    )
    var config: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The folder of the database, keys and sockets. Relative paths of the config start there.",
            discussion: "Default: VESTIBULE_DATA, else ./data.",
            valueName: "folder"
        )
    )
    var data: String?

    @Option(
        name: .customLong("set"),
        parsing: .singleValue,
        help: ArgumentHelp(
            "Set a key, over the file and the environment. Can be given several times.",
            discussion: """
                Like --set listen.port=9000. The environment can do the same: VESTIBULE_LISTEN__PORT=9000. Other \
                users of this machine can read a command line: write secrets as env:NAME or file:PATH.
                """,
            valueName: "key=value"
        )
    )
    var overrides: [String] = []

    /// `EX_CONFIG` of sysexits.h: the config is invalid.
    static let configFault = ExitCode(78)

    /// Returns the sources of the settings, with environment variables for options that are not given.
    func sources(environment: [String: String], workingFolder: String) -> SettingsSources {
        func variable(_ name: String) -> String? {
            environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        return SettingsSources(
            configFile: config ?? variable("VESTIBULE_CONFIG"),
            workingFolder: workingFolder,
            dataFolder: data ?? variable("VESTIBULE_DATA") ?? "data",
            overrides: overrides,
            environment: environment,
            now: Environment.system.now()
        )
    }

    /// Loads the settings of this process.
    ///
    /// - Throws: ``configFault``, after printing every fault to standard error.
    func load(environment: [String: String] = Self.ownEnvironment) throws -> LoadedSettings {
        let sources = ownSources(environment)
        return try Self.complaining { () throws(SettingsErrors) in try SettingsLoader().load(sources) }
    }

    /// Returns the address at which this process reaches a running daemon.
    ///
    /// - Throws: ``configFault``, as ``load()`` does.
    func adminAddress(environment: [String: String] = Self.ownEnvironment) throws -> AdminAddress {
        let sources = ownSources(environment)
        return try Self.complaining { () throws(SettingsErrors) in try SettingsLoader().adminAddress(sources) }
    }

    /// The environment that this process was started with.
    static var ownEnvironment: [String: String] { ForeignVariables.withRemoved }

    private func ownSources(_ environment: [String: String]) -> SettingsSources {
        sources(environment: environment, workingFolder: FileManager.default.currentDirectoryPath)
    }

    private static func complaining<Value>(_ read: () throws(SettingsErrors) -> Value) throws -> Value {
        do throws(SettingsErrors) { return try read() } catch {
            complain(error.description)
            throw configFault
        }
    }

    /// Prints the warnings to standard error.
    static func printWarnings(of loaded: LoadedSettings) {
        for warning in loaded.warnings { complain("warning: \(warning)") }
    }

    /// Foundation's file handle would end the process if standard error can't be written.
    private static func complain(_ text: String) { StandardError.print(text) }
}
