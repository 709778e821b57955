import ArgumentParser
import OAuth

/// `vestibule clients list`: all clients, of the config and of the database.
struct ListClients: CommandLineCommand {
    static let name = "listClients"
    static let replyName = "clients"
    static let effect = CommandEffect.reads

    func handle(_ services: AdminServices) async throws -> [ClientView] {
        try await services.clients.service.list().map { ClientView($0.client, createdAt: $0.createdAt) }
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "list",
            "List all clients, those of the config too.",
            examples: ["vestibule clients list", "vestibule clients list --json"]
        )

        func command(_ input: CommandInput) -> any AdminCommand<[ClientView]> { ListClients() }
    }
}
