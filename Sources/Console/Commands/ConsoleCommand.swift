import Admin
import ArgumentParser
import Kernel

/// A command of ``AdminTable`` as a form.
///
/// Fields, help and checks are those of the command line, so that a new command is here by being in the table.
struct ConsoleCommand: Sendable {
    /// The first word of the command line, like `clients`; empty for a command without one.
    let group: String
    /// The last word of the command line, like `disable`.
    let name: String
    let effect: CommandEffect
    let fields: [CommandField]
    let help: Help
    private let parser: @Sendable (CommandWords, ConsoleInput) throws -> (any CommandPreview)?
    private let sender: @Sendable (CommandWords, ConsoleInput, any CommandExecutor) async throws -> CommandOutcome

    /// What the command does, for people.
    struct Help: Sendable, Equatable {
        let summary: String
        /// What it ends, and what it doesn't; empty for most commands that read.
        let details: String
    }

    /// Returns `nil` for a command that is not on the command line.
    init?(_ type: any AdminCommand.Type, in group: String) {
        guard let arguments = type.arguments else { return nil }
        self.init(arguments, effect: type.effect, in: group)
    }

    private init<Arguments: CommandArguments>(_ type: Arguments.Type, effect: CommandEffect, in group: String) {
        let configuration = Arguments.configuration
        self.group = group
        name = configuration.commandName ?? ""
        self.effect = effect
        fields = CommandField.fields(of: ParsedArguments<Arguments>._dumpHelp())
        // The examples are for the command line.
        let about = configuration.discussion.split(
            separator: "EXAMPLES",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        help = Help(summary: configuration.abstract, details: String((about.first ?? "").trimmed))
        parser = { words, input in try Self.parse(type, from: words, with: input).command.preview }
        sender = { words, input, executor in
            let (arguments, command) = try Self.parse(type, from: words, with: input)
            return try await arguments.outcome(of: command, by: executor)
        }
    }

    /// The field of the value that the command is about, if its first argument is one.
    var subject: CommandField? { fields.first { $0.kind == .positional } }

    func words(_ values: FormValues) -> CommandWords {
        CommandWords(group.isEmpty ? [name] : [group, name], fields, values)
    }

    /// Checks the words as the command line does.
    ///
    /// - Returns: What tells what the command would do now; `nil` for most commands.
    /// - Throws: ``AdminError``, with the command line's own message.
    @discardableResult
    func check(_ words: CommandWords, _ input: ConsoleInput) throws -> (any CommandPreview)? {
        try parser(words, input)
    }

    /// Sends the command of these words, and returns its reply for people.
    ///
    /// - Throws: ``AdminError`` when it is refused.
    func run(
        _ words: CommandWords,
        _ input: ConsoleInput,
        by executor: any CommandExecutor
    ) async throws -> CommandOutcome {
        try await sender(words, input, executor)
    }

    private static func parse<Arguments: CommandArguments>(
        _ type: Arguments.Type,
        from words: CommandWords,
        with console: ConsoleInput
    ) throws -> (arguments: Arguments, command: any AdminCommand<Arguments.Reply>) {
        let input = CommandInput(
            text: { _ in throw CommandInputError.refused("Name a file on the command line: the console reads none.") },
            duration: console.duration,
            secret: { words.secret ?? "" }
        )
        do {
            let parsed = try ParsedArguments<Arguments>.parse(words.arguments)
            try parsed.arguments.validate(with: input)
            return (parsed.arguments, try parsed.arguments.command(input))
        } catch CommandInputError.refused(let message) {
            throw AdminError(code: "usage", message: message)
        } catch CommandInputError.unreadable(let message) {
            throw AdminError(code: "usage", message: message)
        } catch {
            throw AdminError(code: "usage", message: ParsedArguments<Arguments>.message(for: error))
        }
    }
}

/// The functions of the program that a console needs.
package struct ConsoleInput: Sendable {
    /// Parses a duration in the config's form; `nil` for any other text.
    let duration: @Sendable (_ text: String) -> Duration?

    package init(duration: @escaping @Sendable (_ text: String) -> Duration?) { self.duration = duration }
}

/// Arguments as a command of their own, so that the parser describes and reads them.
private struct ParsedArguments<Arguments: CommandArguments>: ParsableCommand {
    static var configuration: CommandConfiguration { Arguments.configuration }

    @OptionGroup var arguments: Arguments
}
