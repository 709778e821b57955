package import ArgumentParser

/// A command on the command line: its words and options, and how its reply is printed.
package protocol CommandArguments<Reply>: ParsableArguments {
    associatedtype Reply: Codable & Sendable

    /// The command's name and its help.
    static var configuration: CommandConfiguration { get }
    /// The help of `--json`.
    static var jsonHelp: ArgumentHelp { get }

    /// Checks what the parser of the config has to read.
    ///
    /// - Throws: `ValidationError`.
    func validate(with input: CommandInput) throws
    /// The command that these arguments ask for.
    ///
    /// - Throws: ``CommandInputError`` when a file that they name can't be used.
    func command(_ input: CommandInput) throws -> any AdminCommand<Reply>
    /// The lines that tell people what became of the command.
    func lines(_ reply: Reply) throws -> [String]
    /// The reply for scripts.
    func json(_ reply: Reply) throws -> String
    /// The sentence that the command fails with after its reply is printed; `nil` where all is well.
    func refusal(_ reply: Reply) -> String?
}

extension CommandArguments {
    package static var jsonHelp: ArgumentHelp { "Print JSON." }

    package func validate(with input: CommandInput) throws {}

    package func json(_ reply: Reply) throws -> String { try Rendering.json(reply) }

    package func refusal(_ reply: Reply) -> String? { nil }
}

extension CommandArguments where Reply: Sequence, Reply.Element: TableRow {
    package func lines(_ reply: Reply) throws -> [String] { Rendering.table(Array(reply)) }
}

extension CommandConfiguration {
    /// Makes a command's help of what it does, more about it, and examples of a line each.
    package init(
        _ name: String,
        _ abstract: String,
        about: String = "",
        examples: [String],
        subcommands: [any ParsableCommand.Type] = []
    ) {
        let lines = examples.map { "  " + $0 }.joined(separator: "\n")
        self.init(
            commandName: name,
            abstract: abstract,
            discussion: (about.isEmpty ? "" : about + "\n\n") + "EXAMPLES\n" + lines,
            subcommands: subcommands
        )
    }
}

/// The functions of the program that arguments need.
package struct CommandInput {
    /// The text of a file of a person's, at a path.
    let text: (_ path: String) throws -> String
    /// A duration in the config's form; `nil` for any other text.
    private let duration: (_ text: String) -> Duration?

    package init(text: @escaping (_ path: String) throws -> String, duration: @escaping (_ text: String) -> Duration?) {
        self.text = text
        self.duration = duration
    }

    /// The whole seconds of a duration; `nil` for any other text, or a fraction of a second.
    func seconds(_ text: String) -> Int? {
        guard let duration = duration(text), duration.components.attoseconds == 0 else { return nil }
        return Int(duration.components.seconds)
    }

    /// The text on standard input, to its end, without a last line break.
    static func standardInput() -> String {
        var lines: [String] = []
        while let line = readLine(strippingNewline: true) { lines.append(line) }
        return lines.joined(separator: "\n")
    }
}

/// The reason why no command can be made of arguments.
package enum CommandInputError: Error, Equatable {
    /// A file can't be read.
    case unreadable(String)
    /// A file can be read and holds nothing to send.
    case refused(String)
}
