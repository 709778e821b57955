import ArgumentParser
import Kernel
import Passkeys

/// `vestibule passkeys remove`: removes a passkey, and replies with its id.
struct RemovePasskey: CommandLineCommand {
    static let name = "removePasskey"
    static let replyName = "text"
    static let effect = CommandEffect.writes

    var id: String

    var target: String? { id }

    var preview: (any CommandPreview)? { PreviewRemedy(.removePasskey, of: id) }

    func handle(_ services: AdminServices) async throws -> String {
        guard let passkey = PasskeyID(parsing: id), let removed = try await services.access.passkeys.remove(passkey)
        else {
            throw AdminError(
                code: "passkey_not_found",
                message: "The passkey \(id) is unknown. `passkeys list WHO` shows those of an account."
            )
        }
        return removed.id.description
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "remove",
            "Remove a passkey, so that it can no longer sign in, and end its sessions.",
            about: """
                The last passkey of an account can be removed too. If it was the \
                only way to sign in, nobody can sign in to the account any more.
                """,
            examples: ["vestibule passkeys remove 0b54b1a2-6c1f-4c1e-9d9c-3f6f0a0f7a11"]
        )

        @Argument(help: "The passkey's id, as `list` shows it.") var passkey: String

        func command(_ input: CommandInput) -> any AdminCommand<String> { RemovePasskey(id: passkey) }

        func lines(_ reply: String) -> [String] { ["\(reply) is removed."] }

        func json(_ reply: String) throws -> String { try Rendering.json(["removed": reply]) }
    }
}
