import ArgumentParser
import Kernel
import OAuth

/// `vestibule clients registration-token`: issues a token with which a number of clients can register for a limited
/// time.
struct OpenClientRegistration: CommandLineCommand {
    static let name = "openClientRegistration"
    static let replyName = "registrationToken"
    static let effect = CommandEffect.writes

    var uses: Int
    var seconds: Int

    /// A new registration token.
    struct Token: Codable {
        let token: String
        let uses: Int
        /// Milliseconds since 1970.
        let expiresAt: Int64
    }

    func handle(_ services: AdminServices) async throws -> Token {
        let opened = try await services.clients.service.openRegistration(uses: uses, lifetime: .seconds(seconds))
        return Token(token: opened.token.expose(), uses: uses, expiresAt: opened.expiresAt.milliseconds)
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "registration-token",
            "Make a token with which clients register themselves at /oauth/register (RFC 7591).",
            about: """
                It is shown only this once, and works only where oauth.registration is on. Its holder chooses the \
                name of the client that people see.
                """,
            examples: [
                "vestibule clients registration-token",
                "vestibule clients registration-token --uses 5 --expires 7d --json",
            ]
        )

        @Option(help: "The number of clients that can use it: 1 to 1000.") var uses = 1
        @Option(help: "How long it is valid: a duration from 1m to 30d.") var expires = "1h"

        func validate(with input: CommandInput) throws {
            guard input.seconds(expires) != nil else {
                throw ValidationError("--expires takes a duration of whole seconds, like 90s, 12h or 30d.")
            }
        }

        func command(_ input: CommandInput) -> any AdminCommand<Token> {
            OpenClientRegistration(uses: uses, seconds: input.seconds(expires) ?? 0)
        }

        func lines(_ reply: Token) -> [String] { [reply.token] }
    }
}
