import ArgumentParser
import Mail

/// `vestibule mail flush`: tries every queued mail now.
struct FlushMail: CommandLineCommand {
    static let name = "flushMail"
    static let replyName = "mailFlushed"
    static let effect = CommandEffect.writes

    struct Outcome: Codable {
        let due: Int
        let queued: Int
        let bounced: Int
    }

    func handle(_ services: AdminServices) async throws -> Outcome {
        let flushed = try await services.mail.flush()
        return Outcome(due: flushed.due, queued: flushed.queued, bounced: flushed.bounced)
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "flush",
            "Try to send every queued mail now.",
            about: """
                Use it after an outage of the mail server, or a fault in its config. It works with the daemon stopped too.
                """,
            examples: ["vestibule mail flush", "vestibule mail flush --json"]
        )

        func command(_ input: CommandInput) -> any AdminCommand<Outcome> { FlushMail() }

        func lines(_ reply: Outcome) -> [String] {
            ["\(reply.due) mail(s) were due; \(reply.queued) still queued, \(reply.bounced) bounced."]
        }
    }
}
