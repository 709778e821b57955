import Admin
import ArgumentParser
import Console
import Kernel
import Settings

/// `vestibule console`.
struct ConsoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "console",
        "Serve pages for operators on this machine, until you stop it or leave it alone for 15 minutes.",
        about: """
            The pages talk to the running daemon over its admin socket, as this user. The link that is printed works \
            once, within a minute. From another machine, forward the same port over SSH first.
            """,
        examples: [
            "vestibule console",
            "vestibule console --port 8099 --no-open",
            "vestibule console --socket /run/vestibule/admin.sock",
        ]
    )

    @Option(help: "The port on 127.0.0.1, by default a free one.") var port = 0
    @Option(help: ArgumentHelp("The daemon's admin socket, by default that of the config.", valueName: "path"))
    var socket: String?
    @Flag(name: .customLong("no-open"), help: "Do not open a browser here.") var isClosed = false
    @OptionGroup var options: SettingsOptions

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port takes 0 to 65535.") }
    }

    func run() async throws {
        try await ExitError.guarding {
            let address = try address()
            let environment = Environment.system
            let (access, link) = ConsoleAccess.make(environment)
            try await DaemonCall.use(address, clock: environment.clock) { call in
                let server = ConsoleServer(
                    access,
                    link: link,
                    executor: ConsoleExecutor(call: call),
                    environment: environment,
                    opensBrowser: !isClosed
                )
                try await server.run(on: port)
            }
            StandardError.print("The console is over.")
        }
    }

    /// Returns the address of the daemon: readers can reach a socket whose data folder they can't read.
    private func address() throws -> AdminAddress {
        guard let socket else { return try options.adminAddress() }
        return AdminAddress(dataFolder: "of that socket", socket: socket)
    }
}

/// Sends a console's commands to the daemon, and words what goes wrong like the command line.
private struct ConsoleExecutor: CommandExecutor {
    let call: DaemonCall

    func execute<Command: AdminCommand>(_ command: Command) async throws -> Command.Reply {
        do { return try await call.execute(command) } catch let exit as ExitError {
            throw AdminError(code: "unavailable", message: exit.message)
        }
    }
}
