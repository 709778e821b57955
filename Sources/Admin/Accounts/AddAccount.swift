import Accounts
import ArgumentParser
import Kernel

/// `vestibule accounts add`: adds an account, whose address counts as verified.
struct AddAccount: CommandLineCommand {
    static let name = "addAccount"
    static let replyName = "account"
    static let effect = CommandEffect.writes
    // A face provider may be called several times if its token has expired, each call taking up to a minute.
    static let timeout = Duration.seconds(300)
    static let makesDataFolder = true

    var details: Details

    /// The account as the operator describes it.
    struct Details: Codable, Sendable, Equatable {
        var email: String?
        var name: String
        var attributes: [String] = []
        var enroll: String?
        var providerAccount: String?
        var password: String?

        func add(to accounts: AccountService) async throws -> AccountRecord {
            try await accounts.add(
                NewAccount(
                    email: email,
                    name: name,
                    attributes: try AccountAttributes(parsing: attributes),
                    enroll: enroll,
                    providerAccount: providerAccount,
                    password: password.map { Secret($0) }
                )
            )
        }
    }

    private enum CodingKeys: String, CodingKey { case details = "_0" }

    func handle(_ services: AdminServices) async throws -> AccountView {
        AccountView(try await details.add(to: services.accounts))
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add an account.",
            discussion: """
                The address counts as verified, because an operator adds it. --enroll makes an account at a provider, \
                under a random name that is not the address. --provider-account names an existing one.

                EXAMPLES
                  vestibule accounts add --email person@example.com \\
                    --name "A Person" --enroll mock
                  vestibule accounts add --email boss@example.com \\
                    --attribute role=admin --attribute department=IT
                  vestibule accounts add --email person@example.com \\
                    --enroll veriff --provider-account 3f1c9a52
                  printf %s "$PASSWORD" | \\
                    vestibule accounts add --email person@example.com --password -
                """
        )

        @Option(help: "The e-mail address to sign in with.") var email: String?
        @Option(help: "The name shown to people, by default the address.") var name: String?
        @Option(
            name: .customLong("attribute"),
            help: ArgumentHelp("An attribute. Can be given several times.", valueName: "name=value")
        )
        var attributes: [String] = []
        @Option(
            help: ArgumentHelp(
                "Make an account at this provider of the config, or at several providers, separated by commas.",
                valueName: "provider"
            )
        )
        var enroll: String?
        @Option(
            help: ArgumentHelp(
                "The account's name at --enroll's provider, when it exists already.",
                valueName: "name"
            )
        )
        var providerAccount: String?
        @OptionGroup var password: PasswordArgument

        func validate() throws {
            guard email != nil || name != nil else { throw ValidationError("Give --email or --name.") }
            try password.check()
        }

        func command(_ input: CommandInput) -> any AdminCommand<AccountView> {
            AddAccount(
                details: Details(
                    email: email,
                    name: name ?? email ?? "",
                    attributes: attributes,
                    enroll: enroll,
                    providerAccount: providerAccount,
                    password: password.read(input)
                )
            )
        }

        func lines(_ reply: AccountView) -> [String] { reply.line("Added") }
    }
}

/// A password for an account, which is read only from standard input.
struct PasswordArgument: ParsableArguments {
    @Option(help: ArgumentHelp("“-” reads a password from standard input.", valueName: "-"))
    var password: String?

    /// Refuses a password on the command line, which other users of the machine can read.
    func check() throws {
        guard password == nil || password == "-" else {
            throw ValidationError(
                "Others can read a password on the command line. Use --password - and standard input."
            )
        }
    }

    func read(_ input: CommandInput) -> String? { password == nil ? nil : input.secret() }
}
