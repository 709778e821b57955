import ArgumentParser
import Kernel

/// `vestibule notices flush`: tries every waiting notice now.
struct FlushNotices: CommandLineCommand {
    static let name = "flushNotices"
    static let replyName = "noticesFlushed"
    static let effect = CommandEffect.writes

    /// Returns the number of notices whose next try was later.
    func handle(_ services: AdminServices) async throws -> Int {
        try await services.notices.expedite(at: services.environment.now())
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "flush",
            "Try to send every notice that waits now.",
            about: """
                Use it after an outage of a client's endpoint. Notices that are being sent are left alone. With the daemon \
                stopped they are tried at its next start.
                """,
            examples: ["vestibule notices flush", "vestibule notices flush --json"]
        )

        func command(_ input: CommandInput) -> any AdminCommand<Int> { FlushNotices() }

        func lines(_ reply: Int) -> [String] { ["\(reply) notice(s) are due now that were due later."] }

        func json(_ reply: Int) throws -> String { try Rendering.json(["due": reply]) }
    }
}
