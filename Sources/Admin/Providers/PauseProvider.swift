import ArgumentParser
import Kernel
import Operations

/// `vestibule provider pause`: begins no scan at a provider for a time.
struct PauseProvider: CommandLineCommand {
    static let name = "pauseProvider"
    static let replyName = "providerPauses"
    static let effect = CommandEffect.writes
    static var needsDaemon: Bool { true }

    var provider: String
    /// Zero ends the pause.
    var seconds: Int

    var target: String? { provider }

    var preview: (any CommandPreview)? { PreviewPause(provider: provider) }

    func handle(_ services: AdminServices) async throws -> [ProviderPauseView] {
        let operations = services.faceLogin.operations
        guard operations.pause(ProviderName(provider), for: .seconds(seconds)) else {
            throw AdminError.unknownProvider(provider)
        }
        return services.faceLogin.pauses
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "pause",
            "Begin no scan at a provider for a time.",
            about: """
                New scans go to the providers of faceLogin.failover that the person is enrolled with. Without one, the \
                person is told to try again. Scans in progress are followed to their end. All daemons of the \
                database take the pause. It is kept in memory, and ends when the last of them stops.
                """,
            examples: ["vestibule provider pause mock", "vestibule provider pause mock --for 15m --json"]
        )

        @Argument(help: "The provider's name in the config.") var name: String
        @Option(name: .customLong("for"), help: "How long: a duration from 1s to 24h.") var time = "1h"

        func validate(with input: CommandInput) throws {
            let longest = Int(OperationService.longestPause.components.seconds)
            guard let seconds = input.seconds(time), (1...longest).contains(seconds) else {
                throw ValidationError("--for takes a duration of whole seconds from 1s to 24h, like 15m.")
            }
        }

        func command(_ input: CommandInput) -> any AdminCommand<[ProviderPauseView]> {
            PauseProvider(provider: name, seconds: input.seconds(time) ?? 0)
        }
    }
}

/// A provider at which no scan is begun.
struct ProviderPauseView: Codable, Sendable, TableRow {
    let provider: String
    let secondsLeft: Int64

    static let titles = ["PAUSED", "SECONDS LEFT"]

    var cells: [String] { [provider, String(secondsLeft)] }
}

extension FaceLoginAdministration {
    /// The providers that are paused, by name.
    var pauses: [ProviderPauseView] {
        operations.pausedProviders.sorted { $0.key.text < $1.key.text }
            .map { ProviderPauseView(provider: $0.key.text, secondsLeft: $0.value.secondsRoundedUp) }
    }
}

extension AdminError {
    static func unknownProvider(_ name: String) -> AdminError {
        AdminError(code: "unknown_provider", message: "The provider \(name) is unknown. `provider list` shows all.")
    }
}
