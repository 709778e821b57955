import ArgumentParser
import Kernel
import Sessions
import SignIn

/// `vestibule sessions revoke ID`: ends one session, and what was opened from it.
struct RevokeSession: CommandLineCommand {
    static let name = "revokeSession"
    static let replyName = "revokedSessions"
    static let effect = CommandEffect.writes

    var id: String

    var target: String? { id }

    var preview: (any CommandPreview)? { PreviewRemedy(.revokeSession, of: id) }

    /// Returns the number of sessions ended, whose access tokens are refused from the next request on.
    func handle(_ services: AdminServices) async throws -> Int {
        guard let id = SessionID(parsing: id), let session = try await services.access.sessions.find(id) else {
            throw AdminError(
                code: "session_not_found",
                message: "The session \(self.id) is unknown. `sessions list WHO` shows those of an account."
            )
        }
        let isEnded = try await services.access.unitOfWork.run { [ending = services.access.ending] transaction in
            try ending.revoke(id, of: session.account, in: transaction)
        }
        guard isEnded else { throw AdminError(code: "session_over", message: "The session \(id) has already ended.") }
        try await services.access.ending.settle(.sessionRevoked, of: session.account)
        return 1
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "revoke",
            "End a session, or all sessions of an account. Their tokens are refused from the next request on.",
            about: """
                The owner sees the reason revoked_by_operator. Backends that verify offline accept an access token until it \
                expires. To keep a person out, disable the account.
                """,
            examples: [
                "vestibule sessions revoke 0b54b1a2-6c1f-4c1e-9d9c-3f6f0a0f7a11",
                "vestibule sessions revoke --account person@example.com --json",
            ]
        )

        @Argument(help: "The session's id, as `list` shows it.") var session: String?
        @Option(help: "All sessions of this account (address, user name or id).") var account: String?

        func validate() throws {
            guard (session == nil) != (account == nil) else {
                throw ValidationError("Give a session's id, or --account for all sessions of an account.")
            }
        }

        func command(_ input: CommandInput) -> any AdminCommand<Int> {
            if let session { RevokeSession(id: session) } else { RevokeSessions(account: account ?? "") }
        }

        func lines(_ reply: Int) -> [String] { ["\(reply) session(s) ended."] }

        func json(_ reply: Int) throws -> String { try Rendering.json(["revoked": reply]) }
    }
}
