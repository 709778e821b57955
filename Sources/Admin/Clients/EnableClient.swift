import ArgumentParser
import OAuth

/// `vestibule clients enable`: accepts the requests of a disabled client again.
struct EnableClient: CommandLineCommand {
    static let name = "enableClient"
    static let replyName = "client"
    static let effect = CommandEffect.writes

    var id: String

    var target: String? { id }

    func handle(_ services: AdminServices) async throws -> ClientView {
        _ = try await services.clients.service.setEnabled(id, true)
        return try await ShowClient(id: id).handle(services)
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "enable",
            "Enable a client again.",
            examples: ["vestibule clients enable backend", "vestibule clients enable backend --json"]
        )

        @Argument(help: "The client's id.") var id: String

        func command(_ input: CommandInput) -> any AdminCommand<ClientView> { EnableClient(id: id) }
    }
}
