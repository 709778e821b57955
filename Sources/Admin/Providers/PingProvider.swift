import ArgumentParser
import Kernel
import Operations

/// `vestibule provider ping`: asks a provider once whether it answers.
struct PingProvider: CommandLineCommand {
    static let name = "pingProvider"
    static let replyName = "providerPinged"
    // It calls the provider, and the answer counts for the circuit.
    static let effect = CommandEffect.writes
    static var needsDaemon: Bool { true }

    var provider: String

    var target: String? { provider }

    struct Outcome: Codable {
        let provider: String
        /// `answered`, `unreadable`, `silent`, `held_back` or `refused`.
        let outcome: String
        let detail: String
        let milliseconds: Int64
    }

    func handle(_ services: AdminServices) async throws -> Outcome {
        guard let ping = await services.faceLogin.operations.ping(ProviderName(provider)) else {
            throw AdminError.unknownProvider(provider)
        }
        return Outcome(
            provider: provider,
            outcome: ping.outcome.rawValue,
            detail: ping.detail,
            milliseconds: ping.time.wholeMilliseconds
        )
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "ping",
            "Ask a provider once, and say whether it answered and how fast.",
            about: """
                The question is about a scan that does not exist: nobody is scanned. The answer counts for the circuit.
                """,
            examples: ["vestibule provider ping mock", "vestibule provider ping mock --json"]
        )

        @Argument(help: "The provider's name in the config.") var name: String

        func command(_ input: CommandInput) -> any AdminCommand<Outcome> { PingProvider(provider: name) }

        func lines(_ reply: Outcome) -> [String] {
            ["\(reply.provider): \(reply.outcome) (\(reply.detail)) after \(reply.milliseconds) ms."]
        }

        func refusal(_ reply: Outcome) -> String? {
            ["answered", "refused"].contains(reply.outcome) ? nil : "The provider \(reply.provider) did not answer."
        }
    }
}
