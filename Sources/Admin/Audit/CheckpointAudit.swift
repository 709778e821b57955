import ArgumentParser

/// `vestibule audit checkpoint`: signs a checkpoint for the last row of each chain of the audit, and replies with the
/// lines of the checkpoints.
struct CheckpointAudit: CommandLineCommand {
    static let name = "checkpointAudit"
    static let replyName = "text"
    static let effect = CommandEffect.writes

    /// Whether the previous checkpoints are lost.
    var isAnew: Bool

    // A row of its own would need a checkpoint again, and the command would always have something to sign.
    var isRecorded: Bool { isAnew }

    func handle(_ services: AdminServices) async throws -> String {
        let lines = try await services.audit.checkpoint(isAnew: isAnew)
        guard !lines.isEmpty else {
            throw AdminError(
                code: "audit_empty",
                message: "The audit has no rows yet. Try again after the first sign-in."
            )
        }
        return lines.joined(separator: "\n")
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "checkpoint",
            "Sign the current end of the audit, and print that checkpoint.",
            about: """
                On PostgreSQL it has a line for each connection's chain. Keep the output where users that can write the \
                data folder cannot write. With --anew the previous \
                checkpoints are dropped, which the audit records. Use it only when their file is lost or was moved.
                """,
            examples: [
                "vestibule audit checkpoint",
                "vestibule audit checkpoint --anew",
                "vestibule audit checkpoint --json",
            ]
        )
        static let jsonHelp: ArgumentHelp = "Print JSON, with the checkpoint as its one member."

        @Flag(help: "Start new checkpoints, because the previous ones are lost.") var anew = false

        func command(_ input: CommandInput) -> any AdminCommand<String> { CheckpointAudit(isAnew: anew) }

        func lines(_ reply: String) -> [String] { [reply] }

        func json(_ reply: String) throws -> String { try Rendering.json(["checkpoint": reply]) }
    }
}
