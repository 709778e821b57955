import Accounts
import ArgumentParser
import Mail

/// `vestibule mail test`: sends a test mail.
struct TestMail: CommandLineCommand {
    static let name = "testMail"
    static let replyName = "mailTested"
    static let effect = CommandEffect.writes

    var to: String
    var language: String

    struct Outcome: Codable {
        let isDelivered: Bool
        let failure: String?
        let reply: Int?
    }

    func handle(_ services: AdminServices) async throws -> Outcome {
        let mail = services.mail
        // Only the language of a tag like fr-CA counts (RFC 5646 §2.2.1). An unknown language would be sent as
        // English.
        guard mail.languages.contains(language.prefix { $0 != "-" }.lowercased()) else {
            let known = mail.languages.joined(separator: ", ")
            throw AdminError(
                code: "unknown_language",
                message: "Mails do not exist in the language \(language). Use one of \(known) with --language."
            )
        }
        do {
            let left = try await mail.test(to: to, language: language)
            return Outcome(isDelivered: left == nil, failure: left?.tries.failure?.rawValue, reply: left?.tries.reply)
        } catch MailError.queueFull {
            throw AdminError(
                code: "mail_queue_full",
                message: "The mail queue is full. `mail list` shows what is in it."
            )
        } catch MailError.unmailableAddress {
            throw AdminError(
                code: "unmailable_address",
                message: "Mail cannot be sent to that address. Write one like person@example.com."
            )
        }
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "test",
            "Send a test mail, and say whether it was accepted.",
            about: """
                It passes through the queue to the mail server or the outbox, like all mail. Exit code 0 when it was \
                accepted, 1 when it was not. Then it stays in the queue for ten minutes.
                """,
            examples: [
                "vestibule mail test person@example.com", "vestibule mail test person@example.com --language fr",
            ]
        )

        @Argument(help: "The address that it goes to.") var address: String
        @Option(help: "The language that it is in: en, fr, es, sv, de or one of the config.") var language = "en"

        func command(_ input: CommandInput) -> any AdminCommand<Outcome> { TestMail(to: address, language: language) }

        func lines(_ reply: Outcome) -> [String] { reply.isDelivered ? ["The mail was accepted."] : [] }

        func refusal(_ reply: Outcome) -> String? {
            guard !reply.isDelivered else { return nil }
            let code = reply.reply.map { " (the server's reply was \($0))" } ?? ""
            return
                "The mail was not accepted: \(reply.failure ?? "it is still being tried")\(code). The daemon's log has "
                + "the cause."
        }
    }
}
