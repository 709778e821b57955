import ArgumentParser
import HTTPAPI

/// `vestibule keys`.
struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "List or rotate the keys that access tokens are signed with.",
        discussion: """
            EXAMPLES
              vestibule keys list
              vestibule keys rotate
            """,
        subcommands: [List.self, Rotate.self]
    )

    /// `vestibule keys list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the keys: the one that signs first, then those that still verify.",
            discussion: """
                EXAMPLES
                  vestibule keys list --json
                """
        )

        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var options: SettingsOptions

        func run() async throws { try await Exit.guarding { try await printKeys(.listKeys, options, json: json) } }
    }

    /// `vestibule keys rotate`.
    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sign with a new key from now on; the old one verifies until its last token has expired.",
            discussion: """
                EXAMPLES
                  vestibule keys rotate
                """
        )

        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var options: SettingsOptions

        func run() async throws { try await Exit.guarding { try await printKeys(.rotateKeys, options, json: json) } }
    }
}

private func printKeys(_ request: AdminRequest, _ options: SettingsOptions, json: Bool) async throws {
    guard case .keys(let keys) = try await send(request, options) else { return }
    if json { return try Printing.json(keys) }
    Printing.table(AdminReply.KeyView.titles, keys.map(\.cells))
}
