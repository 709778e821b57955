import ArgumentParser
import Foundation
import ReferencePages
import Testing

@testable import Vestibule

/// The page of commands says what the program says; scripts/references.sh writes it.
struct CommandLineReferenceTests {
    @Test func `the page of commands is what their help prints`() throws { try CommandLineReference.page().hold() }
}

/// The command line as a page, from what the parser itself says of each command.
private enum CommandLineReference {
    static func page() throws -> ReferencePage {
        let program = try JSONDecoder().decode(Dump.self, from: Data(Vestibule._dumpHelp().utf8)).command
        let commands = program.subcommands?.filter { $0.isShown && $0.commandName != "help" } ?? []
        let settings = try #require(commands.first { $0.commandName == "serve" }).ownArguments
        let body =
            [program.text(), "## Common options\n\n" + commonIntroduction + "\n" + table(settings)]
            + commands.flatMap { section($0, under: [program.commandName], settings: settings) }
        return ReferencePage(
            name: "command-line.md",
            title: "Command line",
            source: "the commands' own help",
            body: body.joined(separator: "\n")
        )
    }

    private static let commonIntroduction = """
        Most commands take these, so that they find the config and the data folder. Every command has `--help` and `--version`.

        """

    /// The command and those below it, each with its options.
    private static func section(_ command: Command, under path: [String], settings: [Argument]) -> [String] {
        let path = path + [command.commandName]
        var parts = [String(repeating: "#", count: path.count) + " " + path.joined(separator: " "), ""]
        parts.append(command.text())
        let own = command.ownArguments.filter { !settings.contains($0) }
        if !own.isEmpty { parts.append(table(own)) }
        if own.count < command.ownArguments.count { parts.append("Takes the [common options](#common-options).\n") }
        let below = command.subcommands?.filter(\.isShown) ?? []
        return [parts.joined(separator: "\n")] + below.flatMap { section($0, under: path, settings: settings) }
    }

    private static func table(_ arguments: [Argument]) -> String {
        let rows = arguments.map { [Markdown.code($0.usage), $0.isOptional ? "" : "yes", $0.meaning] }
        return Markdown.table(["argument", "required", "meaning"], rows)
    }

    /// The parser's description of a program (ArgumentParserToolInfo).
    private struct Dump: Decodable { let command: Command }

    private struct Command: Decodable {
        let commandName: String
        let shouldDisplay: Bool
        let abstract: String?
        let discussion: String?
        let arguments: [Argument]?
        let subcommands: [Command]?

        var isShown: Bool { shouldDisplay }

        /// The arguments but for those that every command has.
        var ownArguments: [Argument] {
            arguments?.filter { $0.shouldDisplay && !["help", "version"].contains($0.preferredName?.name) } ?? []
        }

        /// The help without its options: what the command does, more about it, and the examples as code.
        func text() -> String {
            let paragraphs = (discussion ?? "").split(separator: "\n\n").map { paragraph in
                guard paragraph.hasPrefix("EXAMPLES\n") else { return String(paragraph) + "\n" }
                let lines = paragraph.split(separator: "\n").dropFirst().map { $0.dropFirst(2) }
                return "```sh\n" + lines.joined(separator: "\n") + "\n```\n"
            }
            return ([(abstract ?? "") + "\n"] + paragraphs).joined(separator: "\n")
        }
    }

    private struct Argument: Decodable, Equatable {
        let kind: Kind
        let shouldDisplay: Bool
        let isOptional: Bool
        let isRepeating: Bool
        let names: [Name]?
        let preferredName: Name?
        let valueName: String?
        let defaultValue: String?
        let abstract: String?
        let discussion: String?

        enum Kind: String, Decodable { case positional, option, flag }

        struct Name: Decodable, Equatable {
            let kind: String
            let name: String

            var text: String { (kind == "long" ? "--" : "-") + name }
        }

        var usage: String {
            let value = "<\(valueName ?? "")>"
            let names = (names ?? []).map(\.text).joined(separator: ", ")
            let text =
                switch kind {
                case .positional: value
                case .option: "\(names) \(value)"
                case .flag: names
                }
            return text + (isRepeating ? " …" : "")
        }

        var meaning: String {
            let standard = defaultValue.map { "Default: `\($0)`." }
            return [abstract, discussion, standard].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ")
        }
    }
}
