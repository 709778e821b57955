import Accounts
import ArgumentParser

/// `vestibule accounts list`: accounts, the newest first.
struct ListAccounts: CommandLineCommand {
    static let name = "listAccounts"
    static let replyName = "accounts"
    static let effect = CommandEffect.reads

    /// A part of a name, a user name or an address.
    var search: String?
    /// The id of the last account of the page before.
    var after: String?
    var limit: Int

    func handle(_ services: AdminServices) async throws -> [AccountView] {
        guard search != nil || after != nil else {
            return try await services.accounts.list(limit: ListLimit.rows(limit)).map(AccountView.init)
        }
        return try await services.accounts.list(matching: search ?? "", after: after, limit: ListLimit.rows(limit))
            .map(AccountView.init)
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "list",
            "List accounts, the newest first.",
            examples: ["vestibule accounts list", "vestibule accounts list --search example.com --json"]
        )

        @Option(help: ArgumentHelp("Only accounts with this part of a name or an address.", valueName: "text"))
        var search: String?
        @Option(help: ArgumentHelp("Continue the list after this account.", valueName: "account")) var after: String?
        @Option(help: "The largest number of rows.") var limit = 100

        func command(_ input: CommandInput) -> any AdminCommand<[AccountView]> {
            ListAccounts(search: search, after: after, limit: limit)
        }
    }
}
