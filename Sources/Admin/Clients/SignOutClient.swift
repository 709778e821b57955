import ArgumentParser
import Kernel
import OAuth
import SignIn

/// `vestibule clients sign-out`: ends all sessions of a client, of the config or of the store, for all of its people.
struct SignOutClient: CommandLineCommand {
    static let name = "signOutClient"
    static let replyName = "revokedSessions"

    var id: String

    /// Returns how many sessions ended.
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
            "End all sessions of a client; its people sign in again.",
            about: """
                For a client of the config as well as for one that was added. Its refresh tokens, codes and authorization \
                requests end too; what people have agreed to stays. The owners see the reason revoked_by_operator. Backends \
                that verify offline take an access token until it expires.
                """,
            examples: ["vestibule clients sign-out backend", "vestibule clients sign-out backend --json"]
        )

        @Argument(help: "The client's id.") var id: String

        func command(_ input: CommandInput) -> any AdminCommand<Int> { SignOutClient(id: id) }

        func lines(_ reply: Int) -> [String] { ["\(reply) session(s) ended."] }

        func json(_ reply: Int) throws -> String { try Rendering.json(["revoked": reply]) }
    }
}
