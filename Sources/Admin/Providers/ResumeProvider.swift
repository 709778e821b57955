import ArgumentParser

/// `vestibule provider resume`: ends a provider's pause, with the reply of ``PauseProvider``.
struct ResumeProvider: CommandLineCommand {
    static let name = "resumeProvider"
    static let replyName = "providerPauses"
    static let effect = CommandEffect.writes
    static var needsDaemon: Bool { true }

    var provider: String

    var target: String? { provider }

    func handle(_ services: AdminServices) async throws -> [ProviderPauseView] {
        try await PauseProvider(provider: provider, seconds: 0).handle(services)
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "resume",
            "End a provider's pause: scans begin there again.",
            examples: ["vestibule provider resume mock"]
        )

        @Argument(help: "The provider's name in the config.") var name: String

        func command(_ input: CommandInput) -> any AdminCommand<[ProviderPauseView]> {
            ResumeProvider(provider: name)
        }
    }
}
