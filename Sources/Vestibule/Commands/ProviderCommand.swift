import Admin
import ArgumentParser
import Assembly
import HTTPAPI
import Settings

/// `vestibule provider`.
struct ProviderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "provider",
        "List, test, ping, pause or resume face providers.",
        examples: ["vestibule provider list", "vestibule provider test mock"],
        subcommands: [List.self, Test.self] + AdminTable.providers.commandLine
    )

    /// `vestibule provider list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            "list",
            "List the configured providers, and their state while a daemon runs.",
            about: """
                A running daemon lists its own providers. Without a daemon they come from the config, and their state is unknown.
                """,
            examples: ["vestibule provider list", "vestibule provider list --json"]
        )

        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await ExitError.guarding {
                let providers = try await Self.providers(options)
                for line in json ? [try Rendering.json(providers)] : Rendering.table(providers) { print(line) }
            }
        }

        private static func providers(_ options: SettingsOptions) async throws -> [ProviderView] {
            try await AdminClient(options: options, environment: .system).askDaemon(ListProviders())
                ?? options.load().settings.providerViews(health: [:])
        }
    }

    /// `vestibule provider test`.
    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the requests to a provider, or send them.",
            discussion: """
                Prints each request as it would be sent, with words instead of secrets, and the result of each row of \
                verdicts. Nothing is sent. With --live two real scans are begun for --account, and the first is \
                checked once. It prints the value at each pointer, but not the address of the page.

                Exit codes: 0 no fault, 1 a fault (the provider refuses, its answer does not match the config, \
                both begins gave one scan, or a row can never count), 69 it cannot be reached, 78 a fault in the config.

                EXAMPLES
                  vestibule provider test mock
                  vestibule provider test veriff --json \\
                    --config /etc/vestibule/vestibule.yaml
                  vestibule provider test veriff --live --account 3f1c9a52
                """
        )

        @Argument(help: "The provider's name in the config.") var name: String
        @Flag(help: "Begin two real scans, and check the first once.") var live = false
        @Option(help: ArgumentHelp("The account at the provider that is scanned, for --live.", valueName: "reference"))
        var account: String?
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var options: SettingsOptions

        func validate() throws {
            guard live == (account != nil) else {
                throw ValidationError("--live and --account need each other. Give both or neither.")
            }
        }

        func run() async throws {
            try await ExitError.guarding {
                let settings = try options.load().settings
                guard let provider = settings.providers[name] else {
                    throw ExitError.refused(Self.unknown(name, among: settings.providers.keys.sorted()))
                }
                let dryRun = ProviderDryRun(name: name, provider, publicURL: settings.publicURL, environment: .system)
                let report = if let account { try await dryRun.live(account) } else { try dryRun.dry() }
                for line in json ? [try Rendering.json(report)] : report.lines { print(line) }
                if let problem = report.problem { throw ExitError(code: report.exitCode, message: problem) }
            }
        }

        /// Returns the message about an unknown provider, with the known names.
        static func unknown(_ name: String, among known: [String]) -> String {
            let others =
                switch known.count {
                case 0: "the config has no provider"
                case 1: "the only known one is \(known[0])"
                default: "the config has \(known.dropLast().joined(separator: ", ")) and \(known[known.count - 1])"
                }
            return "The provider \(name) is unknown: \(others)."
        }
    }
}
