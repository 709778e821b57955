import ArgumentParser
import Kernel
import Operations

/// `vestibule operations answers`: what providers answered about one operation, the oldest first.
struct ListExchanges: CommandLineCommand {
    static let name = "listExchanges"
    static let replyName = "exchanges"
    static let effect = CommandEffect.reads
    static var needsDaemon: Bool { true }

    var row: String

    func handle(_ services: AdminServices) async throws -> [ExchangeView] {
        let operation = try await services.found(row)
        return services.faceLogin.operations.exchanges(about: operation).map(ExchangeView.init)
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "answers",
            "List what providers answered about one operation, the oldest first.",
            about: """
                The daemon that follows the operation keeps the last 1,024 answers about all operations in memory. An \
                answer like the one before is listed once.
                """,
            examples: ["vestibule operations answers 0b54b1a2-6c1f-4c1e-9d9c-3f6f0a0f7a11"]
        )

        @Argument(help: "The operation's row id, as `list` and the log show it.") var row: String

        func command(_ input: CommandInput) -> any AdminCommand<[ExchangeView]> { ListExchanges(row: row) }
    }
}

/// An answer from a provider about an operation.
struct ExchangeView: Codable, Sendable, TableRow {
    let provider: String
    /// `started`, `answered`, `unreadable`, `silent`, `held_back` or `refused`.
    let outcome: String
    let detail: String
    /// Milliseconds since 1970.
    let at: Int64

    init(_ exchange: ProviderExchange) {
        provider = exchange.provider.text
        outcome = exchange.outcome.rawValue
        detail = exchange.detail
        at = exchange.at.milliseconds
    }

    static let titles = ["TIME", "PROVIDER", "ANSWER", "DETAIL"]

    var cells: [String] { [Rendering.time(at), provider, outcome.replacing("_", with: " "), detail] }
}
