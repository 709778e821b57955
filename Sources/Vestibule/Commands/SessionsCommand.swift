import ArgumentParser
import HTTPAPI

/// `vestibule sessions`.
struct SessionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions",
        abstract: "List or revoke the sessions of an account.",
        discussion: """
            EXAMPLES
              vestibule sessions list person@example.com
              vestibule sessions revoke --account person@example.com
            """,
        subcommands: [List.self, Revoke.self]
    )

    /// `vestibule sessions list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List an account's sessions, the newest first, also those that are over, with the reason.",
            discussion: """
                EXAMPLES
                  vestibule sessions list person@example.com
                  vestibule sessions list person@example.com --limit 1000 --json
                """
        )

        @Argument(help: "The account's e-mail address, user name or id.") var account: String
        @Option(help: "How many at the most.") var limit = 100
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await Exit.guarding {
                let request = AdminRequest.listSessions(account: account, limit: limit)
                guard case .sessions(let found) = try await send(request, options) else { return }
                if json { return try Printing.json(found) }
                Printing.table(AdminReply.SessionView.titles, found.map(\.cells))
            }
        }
    }

    /// `vestibule sessions revoke`.
    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "End a session, or all of an account: its tokens are refused from the next request on.",
            discussion: """
                The owner sees the reason revoked_by_operator. Backends that verify offline take an access token until it \
                expires. To keep somebody out, disable the account.

                EXAMPLES
                  vestibule sessions revoke 0b54b1a2-6c1f-4c1e-9d9c-3f6f0a0f7a11
                  vestibule sessions revoke --account person@example.com --json
                """
        )

        @Argument(help: "The session's id, as `list` shows it.") var session: String?
        @Option(help: "All sessions of this account (address, user name or id).") var account: String?
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var options: SettingsOptions

        func validate() throws {
            guard (session == nil) != (account == nil) else {
                throw ValidationError("give a session's id, or --account for all of one")
            }
        }

        func run() async throws {
            try await Exit.guarding {
                let request: AdminRequest =
                    if let session {
                        .revokeSession(id: session)
                    } else {
                        .revokeSessions(account: account ?? "")
                    }
                guard case .revokedSessions(let count) = try await send(request, options) else { return }
                if json { return try Printing.json(["revoked": count]) }
                print("\(count) session(s) ended.")
            }
        }
    }
}

extension AdminReply.SessionView {
    static let titles = ["ID", "CLIENT", "STATE", "STARTED", "REFRESHED", "EXPIRES", "ENDED", "REASON"]

    var cells: [String] {
        [
            id, client, isOpen ? "open" : "over", Printing.time(createdAt), Printing.time(refreshedAt),
            Printing.time(expiresAt), Printing.time(endedAt), reason ?? "-",
        ]
    }
}
