import FoundationEssentials

/// A field of a command's form: an argument of its command line.
struct CommandField: Sendable, Equatable {
    enum Kind: String, Sendable {
        case positional
        case option
        case flag
    }

    let kind: Kind
    /// The long name of an option or flag, or the name of a positional value.
    let name: String
    let isOptional: Bool
    let isRepeating: Bool
    let help: String
    let standard: String?
    /// Whether its value is a secret, which the command line reads from standard input.
    let isSecret: Bool

    /// The name of the form's field: a positional value and an option may have the same name.
    var key: String { (kind == .positional ? "p_" : "o_") + name }

    /// The name for people.
    var label: String { name.replacing("-", with: " ") }
}

extension CommandField {
    /// Reads the argument parser's description of a command (its `--experimental-dump-help`).
    static func fields(of description: String) -> [CommandField] {
        guard let tool = try? JSONDecoder().decode(Tool.self, from: Data(description.utf8)) else { return [] }
        return (tool.command.arguments ?? []).compactMap(CommandField.init)
    }

    private init?(_ argument: Argument) {
        guard argument.shouldDisplay, let kind = Kind(rawValue: argument.kind),
            let name = argument.preferredName?.name ?? argument.valueName, name != "help", name != "version"
        else { return nil }
        self.init(
            kind: kind,
            name: name,
            isOptional: argument.isOptional,
            isRepeating: argument.isRepeating,
            help: argument.abstract ?? "",
            standard: argument.defaultValue,
            isSecret: argument.valueName == "-"
        )
    }

    private struct Tool: Decodable {
        let command: Command
    }

    private struct Command: Decodable {
        let arguments: [Argument]?
    }

    private struct Argument: Decodable {
        struct Name: Decodable {
            let name: String
        }

        let kind: String
        let shouldDisplay: Bool
        let isOptional: Bool
        let isRepeating: Bool
        let preferredName: Name?
        let valueName: String?
        let defaultValue: String?
        let abstract: String?
    }
}
