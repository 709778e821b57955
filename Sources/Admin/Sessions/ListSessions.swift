import Accounts
import ArgumentParser
import Kernel
import Sessions

/// `vestibule sessions list`: an account's sessions, the newest first.
struct ListSessions: CommandLineCommand {
    static let name = "listSessions"
    static let replyName = "sessions"
    static let effect = CommandEffect.reads
    private static let mostSessions = 1000

    var account: String
    var limit: Int

    func handle(_ services: AdminServices) async throws -> [SessionView] {
        let id = try await services.accounts.show(account).account.id
        let now = services.environment.now()
        let found = try await services.access.sessions.list(of: id, limit: min(max(limit, 1), Self.mostSessions))
        return found.map { SessionView($0, at: now) }
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "list",
            "List an account's sessions, the newest first, with the reason for those that have ended.",
            examples: [
                "vestibule sessions list person@example.com",
                "vestibule sessions list person@example.com --limit 1000 --json",
            ]
        )

        @Argument(help: "The account's e-mail address, user name or id.") var account: String
        @Option(help: "The largest number of rows.") var limit = 100

        func command(_ input: CommandInput) -> any AdminCommand<[SessionView]> {
            ListSessions(account: account, limit: limit)
        }
    }
}

/// A session as operators see it.
package struct SessionView: Codable, Sendable, Equatable, TableRow {
    let id: String
    let client: String
    /// The device on which it was opened, if known.
    let device: String?
    let methods: [String]
    /// Whether the session can still get tokens.
    let isOpen: Bool
    /// Milliseconds since 1970.
    let createdAt: Int64
    let refreshedAt: Int64
    let expiresAt: Int64
    let endedAt: Int64?
    /// The reason why the session ended, if known.
    let reason: String?

    init(_ listed: ListedSession, at now: Instant) {
        let session = listed.session
        id = session.id.description
        client = session.client
        device = session.linkedDevice?.id.description
        methods = session.authentication.methods
        isOpen = session.revocation == nil && now < listed.expiresAt
        createdAt = session.createdAt.milliseconds
        refreshedAt = listed.refreshedAt.milliseconds
        expiresAt = listed.expiresAt.milliseconds
        endedAt = session.revocation?.at.milliseconds
        reason = session.revocation?.reason?.rawValue
    }

    package static let titles = ["ID", "CLIENT", "STATE", "STARTED", "REFRESHED", "EXPIRES", "ENDED", "REASON"]

    package var cells: [String] {
        [
            id, client, isOpen ? "open" : "over", Rendering.time(createdAt), Rendering.time(refreshedAt),
            Rendering.time(expiresAt), Rendering.time(endedAt), reason ?? "-",
        ]
    }
}
