import ArgumentParser
import Kernel
import OAuth
import SignIn

/// `vestibule clients sign-out`: ends all sessions of a client of the config or of the database, for all accounts.
struct SignOutClient: CommandLineCommand {
    static let name = "signOutClient"
    static let replyName = "revokedSessions"

    var id: String

    /// Returns the number of sessions ended.
    func handle(_ services: AdminServices) async throws -> Int {
        if !services.clients.configured.contains(id) { _ = try await ShowClient(id: id).handle(services) }
        let count = try await services.access.unitOfWork.run { [id, ending = services.access.ending] transaction in
            try ending.end(.clientSignedOut, ofClient: id, in: transaction)
        }
        try await services.access.ending.settle(.clientSignedOut, ofClient: id)
        return count
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "sign-out",
            "End all sessions of a client. Its people have to sign in again.",
            about: """
                Works for a client of the config and for an added one. Its refresh tokens, codes and authorization \
                requests end too, but consents stay. The owners see the reason revoked_by_operator. Backends \
                that verify offline accept an access token until it expires.
                """,
            examples: ["vestibule clients sign-out backend", "vestibule clients sign-out backend --json"]
        )

        @Argument(help: "The client's id.") var id: String

        func command(_ input: CommandInput) -> any AdminCommand<Int> { SignOutClient(id: id) }

        func lines(_ reply: Int) -> [String] { ["\(reply) session(s) ended."] }

        func json(_ reply: Int) throws -> String { try Rendering.json(["revoked": reply]) }
    }
}
