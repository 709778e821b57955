import ArgumentParser
import Testing

@testable import AuthIDMockServer

/// The examples of the mock's help, as a person would copy them from a terminal of 80 columns.
struct HelpExamplesTests {
    private static let lines = AuthIDMockCommand.configuration.discussion.split(separator: "\n")
        .filter { $0.hasPrefix("  ") }.map(String.init)

    @Test func `every line of the examples survives 80 columns`() {
        #expect(Self.lines.count >= 8)
        let help = AuthIDMockCommand.helpMessage(columns: 80).split(separator: "\n").map(String.init)
        for line in Self.lines { #expect(help.contains(line), "broken: \(line)") }
    }

    @Test func `every example is a command that the parser takes`() throws {
        let commands = Self.lines.filter { $0.hasPrefix("  authid-mock") }
        #expect(commands.count >= 4)
        for command in commands {
            // Three spaces part the command from what it does.
            let end = command.dropFirst(2).firstRange(of: "   ")?.lowerBound ?? command.endIndex
            let words = command[..<end]
                .split(separator: " ").dropFirst().map(String.init)
            _ = try AuthIDMockCommand.parseAsRoot(words)
        }
    }
}
