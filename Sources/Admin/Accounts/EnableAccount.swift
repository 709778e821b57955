import Accounts
import ArgumentParser

/// `vestibule accounts enable`: enables a disabled account.
struct EnableAccount: CommandLineCommand {
    static let name = "enableAccount"
    static let replyName = "account"
    static let effect = CommandEffect.writes

    var name: String

    func handle(_ services: AdminServices) async throws -> AccountView {
        AccountView(try await services.accounts.enable(name))
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "enable",
            "Enable a disabled account again. Its old sessions stay ended.",
            examples: ["vestibule accounts enable person@example.com"]
        )

        @Argument(help: "The account's e-mail address, user name or id.") var account: String

        func command(_ input: CommandInput) -> any AdminCommand<AccountView> { EnableAccount(name: account) }

        func lines(_ reply: AccountView) -> [String] { reply.line("Enabled") }
    }
}
