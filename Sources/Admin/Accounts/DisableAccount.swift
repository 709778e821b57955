import Accounts
import ArgumentParser

/// `vestibule accounts disable`: disables an account.
struct DisableAccount: CommandLineCommand {
    static let name = "disableAccount"
    static let replyName = "account"
    static let effect = CommandEffect.writes

    var name: String

    var preview: (any CommandPreview)? { PreviewRemedy(.disableAccount, of: name) }

    func handle(_ services: AdminServices) async throws -> AccountView {
        AccountView(try await services.accounts.disable(name))
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "disable",
            "Disable an account, and end its sessions and logins in progress at once.",
            examples: ["vestibule accounts disable person@example.com"]
        )

        @Argument(help: "The account's e-mail address, user name or id.") var account: String

        func command(_ input: CommandInput) -> any AdminCommand<AccountView> { DisableAccount(name: account) }

        func lines(_ reply: AccountView) -> [String] { reply.line("Disabled") }
    }
}
