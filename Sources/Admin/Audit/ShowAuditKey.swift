import ArgumentParser

/// `vestibule audit key`: the public key of checkpoints, a JWK for people and for scripts.
struct ShowAuditKey: CommandLineCommand {
    static let name = "auditKey"
    static let replyName = "text"
    static let effect = CommandEffect.reads

    func handle(_ services: AdminServices) async throws -> String { services.audit.publicKey }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "key",
            "Print the public key of the checkpoints (a JWK).",
            examples: ["vestibule audit key"]
        )
        static let jsonHelp: ArgumentHelp = "Print JSON (the default is JSON too: a JWK)."

        func command(_ input: CommandInput) -> any AdminCommand<String> { ShowAuditKey() }

        func lines(_ reply: String) -> [String] { [reply] }

        func json(_ reply: String) -> String { reply }
    }
}
