import ArgumentParser
import OAuth

/// `vestibule clients disable`: ends a client's sessions, codes, requests and consents, and refuses it from then on.
struct DisableClient: CommandLineCommand {
    static let name = "disableClient"
    static let replyName = "client"
    static let effect = CommandEffect.writes

    var id: String

    var target: String? { id }

    func handle(_ services: AdminServices) async throws -> ClientView {
        _ = try await services.clients.service.setEnabled(id, false)
        return try await ShowClient(id: id).handle(services)
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "disable",
            "Disable a client. It is refused from its next request on.",
            about: """
                Its sessions, codes, requests and consents end, and do not come back when it is enabled \
                again. Access tokens stay valid until they expire at backends that verify offline.
                """,
            examples: [
                "vestibule clients disable 0b54b1a2-6c1f-4c1e-9d9c-3f6f0a0f7a11",
                "vestibule clients disable backend --json",
            ]
        )

        @Argument(help: "The client's id.") var id: String

        func command(_ input: CommandInput) -> any AdminCommand<ClientView> { DisableClient(id: id) }
    }
}
