import ArgumentParser
import HTTPAPI

extension AccountsCommand {
    /// `vestibule accounts enroll`.
    struct Enroll: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Enrol an account with one more provider, or anew where that was withdrawn.",
            discussion: """
                A provider of faceLogin.failover scans only the people who are enrolled with it. An account is made \
                there, under a random name that is not the address; --provider-account names one that is there already. \
                An enrolment that its owner has withdrawn is replaced, never taken up again.

                EXAMPLES
                  vestibule accounts enroll person@example.com --provider mock
                  vestibule accounts enroll person@example.com \\
                    --provider veriff --provider-account 3f1c9a52
                """
        )

        @Argument(help: "The account's e-mail address, user name or id.") var account: String
        @Option(help: ArgumentHelp("The provider, by its name in the config.", valueName: "provider"))
        var provider: String
        @Option(help: ArgumentHelp("The account's name there, when it is there already.", valueName: "name"))
        var providerAccount: String?
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await Exit.guarding {
                let order = AdminRequest.enrollAccount(
                    name: account,
                    provider: provider,
                    providerAccount: providerAccount
                )
                guard case .account(let found) = try await send(order, options) else { return }
                if json {
                    try Printing.json(found)
                } else {
                    print("Enrolled \(found.id) (\(found.name)) with \(provider).")
                }
            }
        }
    }
}
