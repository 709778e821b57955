import ArgumentParser
import HTTPAPI
import Kernel

/// `vestibule accounts`.
struct AccountsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts",
        abstract: "Add, list, show, change, enrol, disable, enable or import accounts.",
        discussion: """
            EXAMPLES
              vestibule accounts list
              vestibule accounts show person@example.com
            """,
        subcommands: [Add.self, List.self, Show.self, Amend.self, Enroll.self, Disable.self, Enable.self, Import.self]
    )

    /// `vestibule accounts add`.
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add an account.",
            discussion: """
                The address counts as verified: an operator vouches for it. --enroll makes an account at a provider, \
                under a random name that is not the address; --provider-account names one that is there already.

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
        @Option(help: "The name shown to people; the address where none is given.") var name: String?
        @Option(
            name: .customLong("attribute"),
            help: ArgumentHelp("An attribute; may be given many times.", valueName: "name=value")
        )
        var attributes: [String] = []
        @Option(
            help: ArgumentHelp(
                "Make an account at this provider of the config, or at several, with commas.",
                valueName: "provider"
            )
        )
        var enroll: String?
        @Option(
            help: ArgumentHelp(
                "The account's name at --enroll's provider, when it is there already.",
                valueName: "name"
            )
        )
        var providerAccount: String?
        @Option(help: ArgumentHelp("“-” reads a password from standard input.", valueName: "-"))
        var password: String?
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var options: SettingsOptions

        func validate() throws {
            guard email != nil || name != nil else { throw ValidationError("give --email or --name") }
            guard password == nil || password == "-" else {
                throw ValidationError(
                    "a password on the command line can be read by others: use --password - and standard input"
                )
            }
        }

        func run() async throws {
            try await Exit.guarding {
                let order = AdminRequest.AccountOrder(
                    email: email,
                    name: name ?? email ?? "",
                    attributes: attributes,
                    enroll: enroll,
                    providerAccount: providerAccount,
                    password: password == nil ? nil : AccountsCommand.readPassword()
                )
                guard case .account(let account) = try await send(.addAccount(order), options) else { return }
                if json { try Printing.json(account) } else { print("Added \(account.id) (\(account.name)).") }
            }
        }
    }

    /// `vestibule accounts list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List accounts, the newest first.",
            discussion: """
                EXAMPLES
                  vestibule accounts list
                  vestibule accounts list --limit 1000 --json
                """
        )

        @Option(help: "How many at the most.") var limit = 100
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await Exit.guarding {
                guard case .accounts(let accounts) = try await send(.listAccounts(limit: limit), options) else {
                    return
                }
                if json { return try Printing.json(accounts) }
                Printing.table(AdminReply.AccountView.titles, accounts.map(\.cells))
            }
        }
    }

    /// `vestibule accounts show`.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show one account.",
            discussion: """
                EXAMPLES
                  vestibule accounts show person@example.com
                """
        )

        @Argument(help: "The account's e-mail address, user name or id.") var account: String
        @Flag(help: "Print JSON (the default is JSON too: an account is a tree).") var json = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await Exit.guarding {
                guard case .account(let found) = try await send(.showAccount(name: account), options) else { return }
                try Printing.json(found)
            }
        }
    }

    /// `vestibule accounts disable`.
    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shut an account: its sessions and logins under way end at once.",
            discussion: """
                EXAMPLES
                  vestibule accounts disable person@example.com
                """
        )

        @Argument(help: "The account's e-mail address, user name or id.") var account: String
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await Exit.guarding {
                guard case .account(let found) = try await send(.disableAccount(name: account), options) else { return }
                if json { try Printing.json(found) } else { print("Disabled \(found.id) (\(found.name)).") }
            }
        }
    }
}

extension AccountsCommand {
    /// The password on standard input, to its end.
    static func readPassword() -> String {
        var lines: [String] = []
        while let line = readLine(strippingNewline: true) { lines.append(line) }
        return lines.joined(separator: "\n")
    }
}

/// Sends one request to whoever holds the data.
func send(_ request: AdminRequest, _ options: SettingsOptions) async throws -> AdminReply {
    try await AdminClient(options: options, facts: .system).send(request)
}
