package import ArgumentParser
import Kernel
import Mail

/// `vestibule mail list`: the queue, in some states or, if none is named, in all.
package struct ListMail: CommandLineCommand {
    package static let name = "listMail"
    package static let replyName = "mails"
    package static let effect = CommandEffect.reads

    var states: [String]
    var limit: Int

    package init(states: [String], limit: Int) {
        self.states = states
        self.limit = limit
    }

    package func handle(_ services: AdminServices) async throws -> [MailView] {
        let chosen = Set(try states.map { try QueuedMail.State(state: $0) })
        let states = chosen.isEmpty ? Set(QueuedMail.State.allCases) : chosen
        return try await services.mail.list(states, limit: ListLimit.rows(limit)).map(MailView.init)
    }

    package struct Arguments: CommandArguments {
        package static let configuration = CommandConfiguration(
            "list",
            "List queued and bounced mail, the newest first.",
            about: """
                Delivered mail leaves no row. The text of a mail is never shown.
                """,
            examples: ["vestibule mail list", "vestibule mail list --state bounced --limit 1000 --json"]
        )

        @Option(
            name: .customLong("state"),
            help: ArgumentHelp(
                "Only mail in this state: queued or bounced. Can be given several times.",
                valueName: "state"
            )
        )
        var states: [String] = []
        @Option(help: "The largest number of rows.") var limit = 100

        package init() {}

        package func command(_ input: CommandInput) -> any AdminCommand<[MailView]> {
            ListMail(states: states, limit: limit)
        }
    }
}

/// A mail of the queue as operators see it: its recipient, but not its content.
package struct MailView: Codable, Sendable, TableRow {
    let id: String
    let kind: String
    /// `queued` or `bounced`.
    package let state: String
    /// `nil` when the key that encrypted it is missing.
    let to: String?
    /// Milliseconds since 1970.
    package let createdAt: Int64
    let expiresAt: Int64
    /// The time of the next try or, while a try is in progress, the end of its lease.
    let dueAt: Int64
    /// The number of failed tries.
    let attempts: Int
    /// The kind of the last error: `temporary`, `permanent`, `configuration` or `unreadable`.
    let failure: String?
    /// The mail server's reply code in the last try.
    let reply: Int?
    let endedAt: Int64?

    init(_ summary: MailService.Summary) {
        let mail = summary.mail
        id = mail.id.description
        kind = mail.kind.rawValue
        state = mail.state.rawValue
        to = summary.recipient
        createdAt = mail.createdAt.milliseconds
        expiresAt = mail.expiresAt.milliseconds
        dueAt = mail.tries.dueAt.milliseconds
        attempts = mail.tries.attempts
        failure = mail.tries.failure?.rawValue
        reply = mail.tries.reply
        endedAt = mail.endedAt?.milliseconds
    }

    package static let titles = ["ID", "CREATED", "STATE", "KIND", "TO", "TRIES", "FAILURE", "NEXT TRY"]

    package var cells: [String] {
        [
            id, Rendering.time(createdAt), state, kind, to ?? "-", String(attempts),
            (failure ?? "-") + (reply.map { " \($0)" } ?? ""), endedAt == nil ? Rendering.time(dueAt) : "-",
        ]
    }
}
