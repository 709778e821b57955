import ArgumentParser
import Foundation
import Testing

@testable import Vestibule

/// The examples of every help text, as a person would copy them from a terminal of 80 columns.
struct HelpExamplesTests {
    static let commands = tree(Vestibule.self, path: [])

    struct Command: Sendable, CustomTestStringConvertible {
        let path: [String]
        let type: any ParsableCommand.Type

        var testDescription: String { (["vestibule"] + path).joined(separator: " ") }

        /// The lines below EXAMPLES as they are written, down to the next paragraph.
        var exampleLines: [String] {
            let lines = type.configuration.discussion.split(separator: "\n", omittingEmptySubsequences: false)
            return lines.drop { $0 != "EXAMPLES" }.dropFirst().prefix { !$0.isEmpty }.map(String.init)
        }
    }

    @Test(arguments: commands) func `every line of the examples survives 80 columns`(_ command: Command) {
        #expect(!command.exampleLines.isEmpty)
        let help = Vestibule.helpMessage(for: command.type, columns: 80).split(separator: "\n").map(String.init)
        for line in command.exampleLines { #expect(help.contains(line), "broken: \(line)") }
    }

    @Test(arguments: commands) func `every example is a command that the parser takes`(_ command: Command) throws {
        var isShown = false
        for line in Self.joined(command.exampleLines) {
            // The text before the last pipe feeds the command, and so do the variables before its name.
            let words = Self.words(of: line.split(separator: "|").last.map(String.init) ?? line)
            let name = try #require(words.firstIndex(of: "vestibule"), "no command in: \(line)")
            #expect(words[..<name].allSatisfy { $0.contains("=") }, "\(line)")
            let parsed = try Vestibule.parseAsRoot(Array(words[(name + 1)...]))
            #expect(type(of: parsed) != Vestibule.self, "\(line)")
            isShown = isShown || words[(name + 1)...].starts(with: command.path)
        }
        #expect(isShown, "no example of \(command.testDescription) itself")
    }

    @Test func `the guide names every command, and those that print no JSON`() throws {
        let guide = try #require(try Self.commandLinePart())
        let leaves = Self.commands.filter { $0.type.configuration.subcommands.isEmpty }
        #expect(leaves.count > 20)
        for command in leaves {
            let lines = guide.split(separator: "\n").filter { $0.hasPrefix("vestibule \(command.path[0])") }
            let words = Set(lines.joined(separator: " ").split(separator: " ").map(String.init))
            #expect(words.isSuperset(of: command.path), "\(command.testDescription) is not in docs/guide/administer.md")
        }
        let silent = leaves.filter { !Vestibule.helpMessage(for: $0.type).contains("--json") }
        #expect(Set(silent.map { $0.path.joined(separator: " ") }) == ["serve", "console", "config check", "migrate"])
        let sentence = "All take `--json` but `serve`, `console`, `config check` and `migrate`."
        #expect(guide.replacing("\n", with: " ").contains(sentence))
    }

    /// The section from its heading to the next.
    private static func commandLinePart() throws -> String? {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let guide = try String(contentsOf: root.appending(path: "docs/guide/administer.md"), encoding: .utf8)
        guard let start = guide.range(of: "\n## The command line\n")?.upperBound else { return nil }
        let end = guide.range(of: "\n## ", range: start..<guide.endIndex)?.lowerBound ?? guide.endIndex
        return String(guide[start..<end])
    }

    @Test func `an example that is wrong does not pass`() {
        #expect(throws: (any Error).self) {
            try Vestibule.parseAsRoot(["accounts", "add", "--emial", "a@example.com"])
        }
        #expect(Self.words(of: "a \"b c\" --d 'e f'") == ["a", "b c", "--d", "e f"])
        #expect(Self.joined(["  a \\", "    b", "  c"]) == ["  a     b", "  c"])
    }

    private static func tree(_ type: any ParsableCommand.Type, path: [String]) -> [Command] {
        [Command(path: path, type: type)]
            + type.configuration.subcommands.flatMap { child in
                tree(child, path: path + [child._commandName])
            }
    }

    /// Lines that end in a backslash, with their continuations.
    private static func joined(_ lines: [String]) -> [String] {
        lines.reduce(into: []) { whole, line in
            if let last = whole.last, last.hasSuffix("\\") {
                whole[whole.count - 1] = last.dropLast() + line
            } else {
                whole.append(line)
            }
        }
    }

    /// Splits words like a shell, as far as the examples need it.
    private static func words(of line: String) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in line {
            if character == quote {
                quote = nil
            } else if quote == nil, character == "\"" || character == "'" {
                quote = character
                word = word ?? ""
            } else if quote == nil, character == " " {
                if let whole = word { words.append(whole) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        return words + (word.map { [$0] } ?? [])
    }
}
