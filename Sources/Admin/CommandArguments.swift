package import ArgumentParser

/// A command on the command line: its name, its options, and how its reply is printed.
package protocol CommandArguments<Reply>: ParsableArguments {
    associatedtype Reply: Codable & Sendable

    /// The command's name and its help.
    static var configuration: CommandConfiguration { get }
    /// The help of `--json`.
    static var jsonHelp: ArgumentHelp { get }

    /// Checks the values that only the config's parser can read.
    func validate(with input: CommandInput) throws
    /// Returns the command for these arguments.
    ///
    /// - Throws: ``CommandInputError`` when a named file can't be used.
    func command(_ input: CommandInput) throws -> any AdminCommand<Reply>
    /// Returns the lines that tell people the result.
    func lines(_ reply: Reply) throws -> [String]
    /// Returns the reply as a table; `nil` for a reply that is none.
    func table(_ reply: Reply) -> ReplyTable?
    /// Returns the reply as JSON, for scripts.
    func json(_ reply: Reply) throws -> String
    /// Returns the message with which the command fails after its reply is printed, or `nil` for success.
    func refusal(_ reply: Reply) -> String?
}

extension CommandArguments {
    package static var jsonHelp: ArgumentHelp { "Print JSON." }

    package func validate(with input: CommandInput) throws {}

    package func table(_ reply: Reply) -> ReplyTable? { nil }

    package func json(_ reply: Reply) throws -> String { try Rendering.json(reply) }

    package func refusal(_ reply: Reply) -> String? { nil }
}

extension CommandArguments where Reply: Sequence, Reply.Element: TableRow {
    package func lines(_ reply: Reply) throws -> [String] { Rendering.table(Array(reply)) }

    package func table(_ reply: Reply) -> ReplyTable? {
        let rows = Array(reply)
        return ReplyTable(titles: Reply.Element.titles, rows: rows.map(\.cells), last: rows.last?.cursor)
    }
}

extension CommandConfiguration {
    /// Builds a command's help from its abstract, further text, and examples of one line each.
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
    /// Returns the text of a file that the operator names.
    let text: (_ path: String) throws -> String
    /// Parses a duration in the config's form; `nil` for any other text.
    private let duration: (_ text: String) -> Duration?
    /// Returns a secret that an option reads from standard input.
    let secret: () -> String

    package init(
        text: @escaping (_ path: String) throws -> String,
        duration: @escaping (_ text: String) -> Duration?,
        secret: @escaping () -> String = Self.standardInput
    ) {
        self.text = text
        self.duration = duration
        self.secret = secret
    }

    /// Returns the whole seconds of a duration, or `nil` for any other text or a fraction of a second.
    func seconds(_ text: String) -> Int? {
        guard let duration = duration(text), duration.components.attoseconds == 0 else { return nil }
        return Int(duration.components.seconds)
    }

    /// Reads standard input to its end, without the last line break.
    package static func standardInput() -> String {
        var lines: [String] = []
        while let line = readLine(strippingNewline: true) { lines.append(line) }
        return lines.joined(separator: "\n")
    }
}

/// The reason why arguments give no command.
package enum CommandInputError: Error, Equatable {
    /// A file can't be read.
    case unreadable(String)
    /// A file can be read, but its content can't be sent.
    case refused(String)
}
