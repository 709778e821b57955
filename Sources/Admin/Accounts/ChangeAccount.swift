import Accounts
import ArgumentParser
import Kernel

/// `vestibule accounts set`: changes an account's name, address, attributes or password.
struct ChangeAccount: CommandLineCommand {
    static let name = "changeAccount"
    static let replyName = "account"
    static let effect = CommandEffect.writes

    var name: String
    var changes: Changes

    /// The new values of an account; `nil`: the value is not changed.
    struct Changes: Codable, Sendable {
        var name: String?
        var email: String?
        /// `NAME=VALUE`, or `NAME=` to remove an attribute.
        var attributes: [String] = []
        var password: String?
    }

    private enum CodingKeys: String, CodingKey {
        case name
        case changes = "_1"
    }

    // A new address ends all that a new password does, and more.
    var preview: (any CommandPreview)? {
        if changes.email != nil { return PreviewRemedy(.setEmail, of: name) }
        return changes.password == nil ? nil : PreviewRemedy(.setPassword, of: name)
    }

    func handle(_ services: AdminServices) async throws -> AccountView {
        let change = AccountChange(
            name: changes.name,
            email: changes.email,
            attributes: changes.attributes,
            password: changes.password.map { Secret($0) }
        )
        return AccountView(try await services.accounts.change(name, change))
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Change an account's name, address, attributes or password.",
            discussion: """
                Attributes are set only here: those that an app sends about its user are ignored. role is one of \
                admin, manager, technician, user. accessLevel is one of basic, standard, elevated, admin. department, \
                walletId and any other name take any text. NAME= removes an attribute, so that its default applies. \
                A new address replaces the old one, counts as verified and undoes a takeover. It ends sessions, \
                devices, passkeys, the password, consents, cards, and faces that people set up themselves. A change \
                takes effect at once.

                EXAMPLES
                  vestibule accounts set person@example.com --attribute role=admin
                  vestibule accounts set person@example.com \\
                    --attribute accessLevel=elevated --attribute department=
                  vestibule accounts set person@example.com --email new@example.com
                  printf %s "$PASSWORD" | \\
                    vestibule accounts set person@example.com --password -
                """
        )

        @Argument(help: "The account's e-mail address, user name or id.") var account: String
        @Option(help: "The name shown to people.") var name: String?
        @Option(help: "The e-mail address to sign in with from now on.") var email: String?
        @Option(
            name: .customLong("attribute"),
            help: ArgumentHelp("An attribute. Can be given several times.", valueName: "name=value")
        )
        var attributes: [String] = []
        @OptionGroup var password: PasswordArgument

        func validate() throws {
            guard name != nil || email != nil || !attributes.isEmpty || password.password != nil else {
                throw ValidationError("Give a change: --name, --email, --attribute or --password.")
            }
            try password.check()
        }

        func command(_ input: CommandInput) -> any AdminCommand<AccountView> {
            let changes = Changes(name: name, email: email, attributes: attributes, password: password.read(input))
            return ChangeAccount(name: account, changes: changes)
        }

        func lines(_ reply: AccountView) -> [String] { reply.line("Changed") }
    }
}
