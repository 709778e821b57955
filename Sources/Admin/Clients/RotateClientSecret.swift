import ArgumentParser
import OAuth

/// `vestibule clients rotate-secret`: gives a client a new secret, which is only in the reply.
struct RotateClientSecret: CommandLineCommand {
    static let name = "rotateClientSecret"
    static let replyName = "clientSecret"
    static let effect = CommandEffect.writes

    var id: String
    /// The time for which the previous secret stays valid beside the new one.
    var overlapSeconds: Int

    var target: String? { id }

    func handle(_ services: AdminServices) async throws -> ClientSecretView {
        ClientSecretView(try await services.clients.service.rotateSecret(of: id, overlap: .seconds(overlapSeconds)))
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "rotate-secret",
            "Give a client a new secret, which is shown this once.",
            about: """
                The previous secret ends now, or stays valid for --overlap, so that the client's servers can be \
                changed one after the other. An older secret in its overlap ends now.
                """,
            examples: [
                "vestibule clients rotate-secret backend",
                "vestibule clients rotate-secret backend --overlap 1d --json",
            ]
        )

        @Argument(help: "The client's id.") var id: String
        @Option(help: "How long the previous secret stays valid: a duration up to 30d.") var overlap = "0s"

        func validate(with input: CommandInput) throws {
            guard input.seconds(overlap) != nil else {
                throw ValidationError("--overlap takes a duration of whole seconds, like 0s, 12h or 30d.")
            }
        }

        func command(_ input: CommandInput) -> any AdminCommand<ClientSecretView> {
            RotateClientSecret(id: id, overlapSeconds: input.seconds(overlap) ?? 0)
        }

        func lines(_ reply: ClientSecretView) -> [String] { [reply.secret ?? ""] }
    }
}
