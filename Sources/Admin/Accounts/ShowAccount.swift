import Accounts
import ArgumentParser

/// `vestibule accounts show`: one account, in JSON for people too.
struct ShowAccount: CommandLineCommand {
    static let name = "showAccount"
    static let replyName = "account"
    static let effect = CommandEffect.reads

    var name: String

    func handle(_ services: AdminServices) async throws -> AccountView {
        AccountView(try await services.accounts.show(name))
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "show",
            "Show one account.",
            examples: ["vestibule accounts show person@example.com"]
        )
        static let jsonHelp: ArgumentHelp = "Print JSON (the default is JSON too: an account is a tree)."

        @Argument(help: "The account's e-mail address, user name or id.") var account: String

        func command(_ input: CommandInput) -> any AdminCommand<AccountView> { ShowAccount(name: account) }

        func lines(_ reply: AccountView) throws -> [String] { [try json(reply)] }
    }
}
