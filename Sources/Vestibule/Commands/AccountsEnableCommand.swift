import ArgumentParser
import HTTPAPI

extension AccountsCommand {
    /// `vestibule accounts enable`.
    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Open an account that was shut; its old sessions stay over.",
            discussion: """
                EXAMPLES
                  vestibule accounts enable person@example.com
                """
        )

        @Argument(help: "The account's e-mail address, user name or id.") var account: String
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
