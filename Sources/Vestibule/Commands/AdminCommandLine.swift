import Admin
import ArgumentParser
import Settings

/// A command of ``AdminTable`` on the command line.
struct AdminCommandLine<Arguments: CommandArguments>: AsyncParsableCommand {
    static var configuration: CommandConfiguration { Arguments.configuration }

    @OptionGroup var arguments: Arguments
    @Flag(help: Arguments.jsonHelp) var json = false
    @OptionGroup var options: SettingsOptions

    func validate() throws { try arguments.validate(with: .ownProcess) }

    func run() async throws {
        try await ExitError.guarding {
            let reply = try await AdminClient(options: options, environment: .system).send(
                arguments.command(.ownProcess)
            )
            for line in json ? [try arguments.json(reply)] : try arguments.lines(reply) { print(line) }
            if let refusal = arguments.refusal(reply) { throw ExitError.refused(refusal) }
        }
    }
}

extension [any AdminCommand.Type] {
    /// The commands as types for the argument parser.
    var commandLine: [any ParsableCommand.Type] {
        func parsable<Arguments: CommandArguments>(_ type: Arguments.Type) -> any ParsableCommand.Type {
            AdminCommandLine<Arguments>.self
        }
        return compactMap { $0.arguments }.map { parsable($0) }
    }
}

extension CommandInput {
    /// Reads local files for a command, because the daemon may run on another machine or as another user.
    static var ownProcess: CommandInput {
        CommandInput(
            text: { path in
                switch SettingsFiles.disk.read(path) {
                case .missing: throw CommandInputError.unreadable("The file \(path) does not exist.")
                case .unreadable(let why): throw CommandInputError.unreadable("\(path) \(why).")
                case .text(let text, _): return text
                }
            },
            duration: DurationText.parse
        )
    }
}
