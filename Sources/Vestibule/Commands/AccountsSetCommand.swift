import ArgumentParser
import HTTPAPI

extension AccountsCommand {
    /// `vestibule accounts set`.
    struct Amend: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Change an account's name, address, attributes or password.",
            discussion: """
                Attributes are given here and nowhere else: what an app sends of its user is ignored. role is one of \
                admin, manager, technician, user; accessLevel one of basic, standard, elevated, admin; department, \
                walletId and any other name take any text. NAME= takes an attribute away, so that its default holds. \
                A new address takes the place of the old one, and counts as verified; it is the undo of a takeover: sessions, \
                devices, passkeys, the password, consents and cards end, and so do faces that people set up themselves. What \
                changes holds at once.

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
            help: ArgumentHelp("An attribute; may be given many times.", valueName: "name=value")
        )
        var attributes: [String] = []
        @Option(help: ArgumentHelp("“-” reads a password from standard input.", valueName: "-"))
        var password: String?
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var options: SettingsOptions

        func validate() throws {
            guard name != nil || email != nil || !attributes.isEmpty || password != nil else {
                throw ValidationError("say what to change: --name, --email, --attribute or --password")
            }
            guard password == nil || password == "-" else {
                throw ValidationError(
                    "a password on the command line can be read by others: use --password - and standard input"
                )
            }
        }

        func run() async throws {
            try await Exit.guarding {
                let amendment = AdminRequest.AccountAmendment(
                    name: name,
                    email: email,
                    attributes: attributes,
                    password: password == nil ? nil : AccountsCommand.readPassword()
                )
                let order = AdminRequest.changeAccount(name: account, amendment)
                guard case .account(let found) = try await send(order, options) else { return }
                if json { try Printing.json(found) } else { print("Changed \(found.id) (\(found.name)).") }
            }
        }
    }
}
