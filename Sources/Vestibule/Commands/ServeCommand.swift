import Admin
import ArgumentParser
import Assembly
import Kernel
import Settings

/// `vestibule serve`.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the daemon.",
        discussion: """
            Prints one line when it listens. SIGTERM and SIGINT stop it in order: parked polls are answered, open \
            requests finished. SIGHUP reads the TLS certificate, the signing keys, passkeys.trustFolder, texts \
            and logos again.

            EXAMPLES
              vestibule serve
              vestibule serve --config /etc/vestibule/vestibule.yaml \\
                --data /var/lib/vestibule
              vestibule serve --set listen.port=9000 --set log.level=debug
            """
    )

    @OptionGroup var options: SettingsOptions

    func run() async throws {
        try await ExitError.guarding {
            // These calls come before the first secret is read.
            CrashReports.withoutMemory()
            OpenFiles.fillStandardStreams()
            CoreFiles.forbid()
            let loaded = try options.load()
            SettingsOptions.printWarnings(of: loaded)
            try await Daemon(loaded, environment: Environment.system).run()
        }
    }
}

/// `vestibule version`.
struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Print the version.",
        discussion: """
            With --json also the commit that it was built from, and that commit's date. Both are "unknown" in a build that \
            is not from a package.

            EXAMPLES
              vestibule version
              vestibule version --json
            """
    )

    @Flag(help: "Print JSON.") var json = false

    func run() throws {
        print(json ? try Rendering.json(Version.current, onOneLine: true) : "vestibule \(Version.number)")
    }
}

/// `vestibule migrate`.
struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Bring the database to this program's schema.",
        discussion: """
            Needs the daemon of this data folder stopped; others on PostgreSQL run on. `serve` does the same to a SQLite \
            file when it starts, and this command does it before that. Nothing else changes the schema of an existing \
            database, and only this command that of a PostgreSQL database. A newer or altered database is refused.

            EXAMPLES
              vestibule migrate --data /var/lib/vestibule
            """
    )

    @OptionGroup var options: SettingsOptions

    func run() async throws {
        try await ExitError.guarding {
            let settings = try options.load().settings
            let lock = try DataFolder.open(settings.dataFolder).lock()
            defer { withExtendedLifetime(lock) {} }
            try SocketFile(path: settings.adminSocket).refuseIfListened()
            let applied = try Composition.migrate(settings, environment: .system)
            print(applied.isEmpty ? "The database is up to date." : "Applied: \(applied.joined(separator: ", ")).")
        }
    }
}
