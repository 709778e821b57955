import ArgumentParser
import Kernel
import Operations

/// `vestibule operations show`: one operation, and the reason why it waits.
struct ShowOperation: CommandLineCommand {
    static let name = "showOperation"
    static let replyName = "operation"
    static let effect = CommandEffect.reads

    var row: String

    func handle(_ services: AdminServices) async throws -> OperationView {
        try await services.operation(row) { try await services.faceLogin.operations.show($0) }
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "show",
            "Show one operation: its state, the reason for its wait, and its provider's last answer.",
            examples: ["vestibule operations show 0b54b1a2-6c1f-4c1e-9d9c-3f6f0a0f7a11"]
        )

        @Argument(help: "The operation's row id, as `list` and the log show it.") var row: String

        func command(_ input: CommandInput) -> any AdminCommand<OperationView> { ShowOperation(row: row) }

        func lines(_ reply: OperationView) -> [String] { reply.lines }
    }
}

extension AdminServices {
    /// Returns the operation that `find` returns for a row id, with the reason why it waits.
    func operation(_ row: String, _ find: (OperationRowID) async throws -> Operation?) async throws -> OperationView {
        guard let id = OperationRowID(parsing: row), let operation = try await find(id) else {
            throw AdminError.operationNotFound(row)
        }
        var view = OperationView(operation)
        view.progress = ProgressView(faceLogin.operations.progress(of: operation))
        return view
    }

    /// Returns the operation with a row id.
    func found(_ row: String) async throws -> Operation {
        guard let id = OperationRowID(parsing: row), let found = try await faceLogin.operations.show(id) else {
            throw AdminError.operationNotFound(row)
        }
        return found
    }
}

extension AdminError {
    fileprivate static func operationNotFound(_ row: String) -> AdminError {
        AdminError(
            code: "operation_not_found",
            message: "The operation \(row) is unknown. `operations list` shows all operations."
        )
    }
}
