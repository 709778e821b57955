// Vestibule: the program.
// Owns commands, the doctor, the setup, and serving: sockets, signals, loops.
// Has no rule of its own: Assembly puts together what it serves, and the modules have the rules.
// Survives signals, full disks, too few files, and a wrong clock: it refuses to start, or answers 503.
// Loops are services of one group, so that a stop waits for each.

import Admin
import ArgumentParser
import Assembly

/// The program: the daemon and the commands.
@main
struct Vestibule: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vestibule",
        abstract: "A self-hosted login orchestrator: face logins that end in JWTs.",
        discussion: """
            EXAMPLES
              vestibule serve
              vestibule accounts add --email person@example.com --enroll mock
              vestibule login --email person@example.com
              vestibule operations tail

            Exit codes: 0 done, 1 refused (with the reason), 64 wrong usage, 69 the server or a port is not available, \
            73 a file to be created exists, 74 the data folder, a file or the database cannot be used, 78 a fault in the config.

            Shell completion: vestibule --generate-completion-script bash|zsh|fish
            """,
        version: Version.number,
        subcommands: [
            ServeCommand.self, LoginCommand.self, AccountsCommand.self, DevicesCommand.self, OperationsCommand.self,
            SessionsCommand.self, PasskeysCommand.self, ConsentsCommand.self, MDSCommand.self, KeysCommand.self,
            AuditCommand.self,
            MailCommand.self, NoticesCommand.self, NodesCommand.self, ClientsCommand.self,
            ProviderCommand.self, InitCommand.self, ConfigCommand.self, DoctorCommand.self, HealthCommand.self,
            ConsoleCommand.self,
            MigrateCommand.self, StorageCommand.self, VersionCommand.self,
        ] + AdminTable.status.commandLine
    )

    static func main() async {
        // Comes before any thread: another one could read the variables at the same moment.
        ForeignVariables.remove()
        await main(nil)
    }
}
