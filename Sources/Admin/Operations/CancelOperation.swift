import ArgumentParser
import Operations

/// `vestibule operations cancel`: ends a login that is in progress.
struct CancelOperation: CommandLineCommand {
    static let name = "cancelOperation"
    static let replyName = "operation"
    static let effect = CommandEffect.writes

    var row: String

    var target: String? { row }

    func handle(_ services: AdminServices) async throws -> OperationView {
        try await services.operation(row) { try await services.faceLogin.operations.cancel(row: $0) }
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "cancel",
            "End a login that is in progress.",
            examples: ["vestibule operations cancel 0b54b1a2-6c1f-4c1e-9d9c-3f6f0a0f7a11"]
        )

        @Argument(help: "The operation's row id.") var row: String

        func command(_ input: CommandInput) -> any AdminCommand<OperationView> { CancelOperation(row: row) }

        func lines(_ reply: OperationView) -> [String] {
            ["\(reply.row) is \(reply.state)\(reply.failure.map { " (\($0))" } ?? "")."]
        }
    }
}
