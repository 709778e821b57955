import ArgumentParser
import OAuth

/// `vestibule clients show`: the settings of a client, never its secrets.
struct ShowClient: CommandLineCommand {
    static let name = "showClient"
    static let replyName = "client"
    static let effect = CommandEffect.reads

    var id: String

    func handle(_ services: AdminServices) async throws -> ClientView {
        guard let found = try await services.clients.service.list().first(where: { $0.client.id == id }) else {
            throw ClientError.unknown(id: id)
        }
        var view = ClientView(found.client, createdAt: found.createdAt)
        if let logout = found.client.tokens.logout {
            view.logout = ClientView.Logout(logout, try await services.clients.logouts(id))
        }
        return view
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "show",
            "Show the settings of a client without its secrets.",
            examples: ["vestibule clients show myvoo", "vestibule clients show myvoo --json"]
        )

        @Argument(help: "The client's id.") var id: String

        func command(_ input: CommandInput) -> any AdminCommand<ClientView> { ShowClient(id: id) }
    }
}
