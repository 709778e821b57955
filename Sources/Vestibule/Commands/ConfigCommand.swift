import Admin
import ArgumentParser
import Kernel
import Settings
import Storage

/// `vestibule config`: shows and checks a config.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Check the config, or show the settings in force.",
        discussion: """
            EXAMPLES
              vestibule config check
              vestibule config show --explain
            """,
        subcommands: [Check.self, Show.self] + AdminTable.settings.commandLine
    )

    /// `vestibule config check`.
    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Report every fault of a config.",
            discussion: """
                Prints "ok", or every fault with its file, line and key to standard error. Reads the files and variables \
                that secrets come from, and changes nothing. With storage.postgres it also connects to the server, \
                unless --offline is given. Exit code 0, 78 when there is a fault, or 74 when the database cannot be used.

                EXAMPLES
                  vestibule config check
                  vestibule config check --config /etc/vestibule/vestibule.yaml \\
                    --data /var/lib/vestibule
                  vestibule config check --set listen.port=9000 --set faceLogin.lifetime=200s
                """
        )

        @Flag(help: "Do not connect to a PostgreSQL server.") var offline = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await ExitError.guarding {
                let loaded = try options.load()
                SettingsOptions.printWarnings(of: loaded)
                if !offline, let postgres = loaded.settings.storage.postgres {
                    for warning in try PostgresDatabase.warnings(postgres, clock: Environment.system.clock) {
                        StandardError.print("warning: \(warning.message)")
                    }
                }
                print("ok")
            }
        }
    }

    /// `vestibule config show`.
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the settings in force, each with its source.",
            discussion: """
                Secrets are not shown. A secret that is kept elsewhere shows as env:NAME or file:PATH, one in plain text \
                as <secret>. Exit code 0, or 78 when there is a fault.

                EXAMPLES
                  vestibule config show
                  vestibule config show --explain
                  vestibule config show --commented
                  VESTIBULE_LOG__LEVEL=debug vestibule config show --json
                """
        )

        @Flag(name: .long, help: "Print JSON: settings by key, each with its value and its source.")
        var json = false

        @Flag(name: .long, help: "Print the meaning of each key above it (YAML only).")
        var explain = false

        @Flag(
            name: .long,
            help:
                "Print the built-in config instead, as a file with a comment above each key: meaning, bounds, default."
        )
        var commented = false

        @OptionGroup var options: SettingsOptions

        func validate() throws {
            if json, explain { throw ValidationError("--explain works only for YAML. Remove --json or --explain.") }
            if commented, json || explain {
                throw ValidationError("--commented cannot be used with --json or --explain.")
            }
        }

        func run() throws {
            guard !commented else { return print(EmbeddedConfig.main, terminator: "") }
            let loaded = try options.load()
            SettingsOptions.printWarnings(of: loaded)
            let printer = ConfigPrinter(loaded: loaded, explains: explain)
            print(json ? try printer.json() : printer.yaml(), terminator: "")
        }
    }
}
