import ArgumentParser
import HTTPAPI

extension AccountsCommand {
    /// `vestibule accounts set`.
    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Change an account's name or attributes, which clients can't.",
            discussion: """
                An attribute without a value goes back to its default. What apps show is new at their next request.

                EXAMPLES
                  vestibule accounts set person@example.com --attribute role=admin
                  vestibule accounts set person@example.com --name "A Person" \\
                    --attribute department= --json
                """
        )

        @Argument(help: "The account's e-mail address or id.") var account: String
        @Option(help: "The name shown to people.") var name: String?
        @Option(
            name: .customLong("attribute"),
            help: ArgumentHelp("An attribute; may be given many times.", valueName: "name=value")
        )
        var attributes: [String] = []
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var options: SettingsOptions

        func validate() throws {
            guard name != nil || !attributes.isEmpty else { throw ValidationError("give --name or --attribute") }
        }

        func run() async throws {
            try await Exit.guarding {
                let order = AdminRequest.changeAccount(name: account, displayName: name, attributes: attributes)
                guard case .account(let found) = try await send(order, options) else { return }
                if json { try Printing.json(found) } else { print("Changed \(found.id) (\(found.name)).") }
            }
        }
    }

    /// `vestibule accounts enable`.
    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Open an account that was shut; its old sessions stay over.",
            discussion: """
                EXAMPLES
                  vestibule accounts enable person@example.com
                """
        )

        @Argument(help: "The account's e-mail address or id.") var account: String
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await Exit.guarding {
                guard case .account(let found) = try await send(.enableAccount(name: account), options) else { return }
                if json { try Printing.json(found) } else { print("Enabled \(found.id) (\(found.name)).") }
            }
        }
    }
}
