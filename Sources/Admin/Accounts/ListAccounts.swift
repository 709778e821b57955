import Accounts
import ArgumentParser

/// `vestibule accounts list`: accounts, the newest first.
struct ListAccounts: CommandLineCommand {
    static let name = "listAccounts"
    static let replyName = "accounts"

    var limit: Int

    func handle(_ services: AdminServices) async throws -> [AccountView] {
        try await services.accounts.list(limit: limit).map(AccountView.init)
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "list",
            "List accounts, the newest first.",
            examples: ["vestibule accounts list", "vestibule accounts list --limit 1000 --json"]
        )

        @Option(help: "The largest number of rows.") var limit = 100

        func command(_ input: CommandInput) -> any AdminCommand<[AccountView]> { ListAccounts(limit: limit) }
    }
}
