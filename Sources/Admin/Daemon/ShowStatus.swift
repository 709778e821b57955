package import ArgumentParser

/// `vestibule status`: what a daemon does now, and in the last hour.
package struct ShowStatus: CommandLineCommand {
    package static let name = "showStatus"
    package static let replyName = "status"
    package static let effect = CommandEffect.reads
    package static var needsDaemon: Bool { true }

    package init() {}

    package func handle(_ services: AdminServices) async throws -> StatusView {
        try await services.daemon.status()
    }

    package struct Arguments: CommandArguments {
        package static let configuration = CommandConfiguration(
            "status",
            "Show what a daemon does now, and did in the last hour.",
            about: """
                Logins in memory, waiting requests, queues, refusals and providers. The minutes of the last hour are in \
                the JSON. They begin anew at each start.
                """,
            examples: ["vestibule status", "vestibule status --json"]
        )

        package init() {}

        package func command(_ input: CommandInput) -> any AdminCommand<StatusView> { ShowStatus() }

        package func lines(_ reply: StatusView) -> [String] { reply.lines }
    }
}

extension StatusView {
    /// The lines for people.
    fileprivate var lines: [String] {
        [
            "version: \(process.version)", "started: \(Rendering.time(process.startedAt))",
            "logins: \(Self.counts(load.operations))", "waiting requests: \(load.waiting)",
        ]
            + queues.map { "queue \($0.name): \($0.words)" }
            + providers.map { provider in
                let circuit = provider.circuit.map { ", circuit \($0)" } ?? ""
                let pause = provider.pausedSeconds.map { ", paused for \($0) s" } ?? ""
                return "provider \(provider.name): \(provider.isHealthy ? "ok" : "degraded")\(circuit)\(pause)"
            }
            + ["refused: \(Self.counts(load.refusals))"]
    }

    /// Returns the counts that are not zero, the greatest first.
    private static func counts(_ counts: [String: Int]) -> String {
        let shown = counts.filter { $0.value != 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return shown.isEmpty ? "none" : shown.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    }
}
