import ArgumentParser
import Kernel
import OAuth
import SignIn

/// `vestibule clients end-sessions`: ends all sessions of a client of the config or of the database, for all accounts.
struct EndClientSessions: CommandLineCommand {
    static let name = "signOutClient"
    static let replyName = "revokedSessions"
    static let effect = CommandEffect.writes

    var id: String

    var target: String? { id }

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
        static let configuration: CommandConfiguration = {
            var configuration = described
            // The command's earlier name, which scripts may still have.
            configuration.aliases = ["sign-out"]
            return configuration
        }()

        private static let described = CommandConfiguration(
            "end-sessions",
            "End all sessions of a client. Its people have to sign in again.",
            about: """
                Works for a client of the config and for an added one. Its refresh tokens, codes and authorization \
                requests end too, but consents stay. The owners see the reason revoked_by_operator. Backends \
                that verify offline accept an access token until it expires. A client with a logout endpoint is told \
                of each session.
                """,
            examples: ["vestibule clients end-sessions backend", "vestibule clients end-sessions backend --json"]
        )

        @Argument(help: "The client's id.") var id: String

        func command(_ input: CommandInput) -> any AdminCommand<Int> { EndClientSessions(id: id) }

        func lines(_ reply: Int) -> [String] { ["\(reply) session(s) ended."] }

        func json(_ reply: Int) throws -> String { try Rendering.json(["revoked": reply]) }
    }
}
