import ArgumentParser

/// `vestibule audit checkpoint`: signs where the audit ends now; the reply is the checkpoint's line.
struct CheckpointAudit: CommandLineCommand {
    static let name = "checkpointAudit"
    static let replyName = "text"

    /// The previous checkpoints are lost.
    var isAnew: Bool

    func handle(_ services: AdminServices) async throws -> String {
        guard let line = try await services.audit.checkpoint(isAnew: isAnew) else {
            throw AdminError(
                code: "audit_empty",
                message: "The audit has no rows yet. Try again after the first sign-in."
            )
        }
        return line
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "checkpoint",
            "Sign where the audit ends now, and print that checkpoint.",
            about: """
                Keep what it prints where nobody who can write the data folder can. With --anew the checkpoints of \
                before are given up, which is put on record: only where their file is gone for good, or was moved away.
                """,
            examples: [
                "vestibule audit checkpoint",
                "vestibule audit checkpoint --anew",
                "vestibule audit checkpoint --json",
            ]
        )
        static let jsonHelp: ArgumentHelp = "Print JSON, with the checkpoint as its one member."

        @Flag(help: "Begin the checkpoints anew: those of before are gone.") var anew = false

        func command(_ input: CommandInput) -> any AdminCommand<String> { CheckpointAudit(isAnew: anew) }

        func lines(_ reply: String) -> [String] { [reply] }

        func json(_ reply: String) throws -> String { try Rendering.json(["checkpoint": reply]) }
    }
}
