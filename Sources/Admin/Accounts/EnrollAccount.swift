import Accounts
import ArgumentParser

/// `vestibule accounts enroll`: enrols an account with another provider.
struct EnrollAccount: CommandLineCommand {
    static let name = "enrollAccount"
    static let replyName = "account"
    static let effect = CommandEffect.writes
    // A face provider is called, as when an account is added.
    static let timeout = Duration.seconds(300)

    var name: String
    var provider: String
    /// The account's id at the provider; `nil`: a new account is created there.
    var providerAccount: String?

    func handle(_ services: AdminServices) async throws -> AccountView {
        AccountView(try await services.accounts.enroll(name, at: provider, providerAccount: providerAccount))
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            commandName: "enroll",
            abstract: "Enrol an account with one more provider, or again after that enrolment was withdrawn.",
            discussion: """
                A provider of faceLogin.failover scans only the people who are enrolled with it. An account is made \
                there, under a random name that is not the address. --provider-account names an existing one. \
                An enrolment that its owner has withdrawn is replaced, never used again.

                EXAMPLES
                  vestibule accounts enroll person@example.com --provider mock
                  vestibule accounts enroll person@example.com \\
                    --provider veriff --provider-account 3f1c9a52
                """
        )

        @Argument(help: "The account's e-mail address, user name or id.") var account: String
        @Option(help: ArgumentHelp("The provider, by its name in the config.", valueName: "provider"))
        var provider: String
        @Option(help: ArgumentHelp("The account's name there, when it exists already.", valueName: "name"))
        var providerAccount: String?

        func command(_ input: CommandInput) -> any AdminCommand<AccountView> {
            EnrollAccount(name: account, provider: provider, providerAccount: providerAccount)
        }

        func lines(_ reply: AccountView) -> [String] { reply.line("Enrolled", " with \(provider)") }
    }
}
