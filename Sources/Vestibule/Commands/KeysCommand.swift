import ArgumentParser
import HTTPAPI

/// `vestibule keys`.
struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "List, rotate or retire the keys that tokens are signed with.",
        discussion: """
            A key is next (published, and will sign), active (signs), retiring (signs no more, and verifies until its \
            last token has expired) or retired (verifies nothing). The daemon rotates by secrets.rotateEvery. Keys of the \
            use identity sign id tokens by RS256 for clients that ask for it, and are rotated with the others.

            EXAMPLES
              vestibule keys list
              vestibule keys rotate
            """,
        subcommands: [List.self, Rotate.self, Retire.self]
    )

    /// `vestibule keys list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the keys: the active one, the next one, those that retire, the retired ones.",
            discussion: """
                EXAMPLES
                  vestibule keys list
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
            abstract: "Sign with the next key from now on; the old one verifies until its last token has expired.",
            discussion: """
                Nobody is signed out. Refused while the next key is not published for secrets.publishBeforeSigning: \
                backends that keep the key set may not have it yet. Works with the daemon stopped too.

                EXAMPLES
                  vestibule keys rotate
                  vestibule keys rotate --now --json
                """
        )

        @Flag(name: .customLong("now"), help: "Also when the next key is not published for long enough.")
        var unannounced = false
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await Exit.guarding {
                try await printKeys(.rotateKeys(unannounced: unannounced), options, json: json)
            }
        }
    }

    /// `vestibule keys retire`.
    struct Retire: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Accept nothing more that a key signed, from now on: for a key that leaked.",
            discussion: """
                Apps whose access token it signed refresh it and go on. Backends that verify offline take such tokens \
                until they fetch the key set again. The active key can't be retired: rotate first. Where the whole \
                folder leaked, retire the next key before that.

                EXAMPLES
                  vestibule keys rotate --now
                  vestibule keys retire nEz8xVk4mR1bq0cJt7dYwPfLs2hAu6gXoZi3vBeKTQM
                """
        )

        @Argument(help: "The key's id, as `keys list` shows it.") var kid: String
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await Exit.guarding { try await printKeys(.retireKey(kid: kid), options, json: json) }
        }
    }
}

private func printKeys(_ request: AdminRequest, _ options: SettingsOptions, json: Bool) async throws {
    guard case .keys(let keys) = try await send(request, options) else { return }
    if json { return try Printing.json(keys) }
    Printing.table(AdminReply.KeyView.titles, keys.map(\.cells))
}
