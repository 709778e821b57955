import ArgumentParser
import OAuth

/// `vestibule clients remove`: ends all of a client that is not in the config, and deletes it.
struct RemoveClient: CommandLineCommand {
    static let name = "removeClient"
    static let replyName = "client"
    static let effect = CommandEffect.writes

    var id: String

    var target: String? { id }

    /// Returns the client as it was.
    func handle(_ services: AdminServices) async throws -> ClientView {
        let view = try await ShowClient(id: id).handle(services)
        try await services.clients.service.remove(id)
        return view
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "remove",
            "Remove a client for good. Its sessions, codes, requests and consents end.",
            about: """
                A client with a logout endpoint is told of each session. A client of the config is removed there. \
                `clients disable` can be undone, this cannot.
                """,
            examples: ["vestibule clients remove backend --yes", "vestibule clients remove backend --yes --json"]
        )

        @Argument(help: "The client's id.") var id: String
        @Flag(help: "Remove it. Without this nothing is done.") var yes = false

        func validate(with input: CommandInput) throws {
            guard yes else {
                throw ValidationError("This ends all sessions of \(id), and can't be undone. Add --yes to do it.")
            }
        }

        func command(_ input: CommandInput) -> any AdminCommand<ClientView> { RemoveClient(id: id) }

        func lines(_ reply: ClientView) -> [String] { ["client \(reply.id) removed."] }
    }
}
