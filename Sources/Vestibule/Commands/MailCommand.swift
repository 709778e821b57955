import ArgumentParser
import HTTPAPI

/// `vestibule mail`.
struct MailCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mail",
        abstract: "List mail that waits or bounced, try it now, send a test mail.",
        discussion: """
            EXAMPLES
              vestibule mail list --state bounced
              vestibule mail flush
            """,
        subcommands: [List.self, Flush.self, Test.self]
    )

    /// `vestibule mail list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List mail that is not delivered: queued, or bounced; the newest first.",
            discussion: """
                Delivered mail leaves no row. What a mail says is shown nowhere.

                EXAMPLES
                  vestibule mail list
                  vestibule mail list --state bounced --limit 1000 --json
                """
        )

        @Option(
            name: .customLong("state"),
            help: ArgumentHelp("Only in this state: queued or bounced; may be given many times.", valueName: "state")
        )
        var states: [String] = []
        @Option(help: "How many at the most.") var limit = 100
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await Exit.guarding {
                guard case .mails(let mails) = try await send(.listMail(states: states, limit: limit), options) else {
                    return
                }
                if json { return try Printing.json(mails) }
                Printing.table(AdminReply.MailView.titles, mails.map(\.cells))
            }
        }
    }

    /// `vestibule mail flush`.
    struct Flush: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Try every queued mail now, whenever it is due.",
            discussion: """
                After an outage of the mail server, or a fault of its config. Works with the daemon stopped too.

                EXAMPLES
                  vestibule mail flush
                  vestibule mail flush --json
                """
        )

        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await Exit.guarding {
                guard case .mailFlushed(let found) = try await send(.flushMail, options) else { return }
                if json { return try Printing.json(found) }
                print("\(found.due) mail(s) were due; \(found.queued) still queued, \(found.bounced) bounced.")
            }
        }
    }

    /// `vestibule mail test`.
    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Send a test mail, and say whether it was taken.",
            discussion: """
                Goes the way of all mail: through the queue, to the mail server or the outbox. Exit code 0 when it was \
                taken, 1 when it was not; then it stays in the queue for ten minutes.

                EXAMPLES
                  vestibule mail test person@example.com
                  vestibule mail test person@example.com --language fr
                """
        )

        @Argument(help: "The address that it goes to.") var address: String
        @Option(help: "The language that it is in: en, fr, es or sv.") var language = "en"
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await Exit.guarding {
                guard case .mailTested(let found) = try await send(.testMail(to: address, language: language), options)
                else { return }
                if json { try Printing.json(found) }
                guard !found.isDelivered else { return json ? () : print("The mail was taken.") }
                let reply = found.reply.map { " (the server's reply was \($0))" } ?? ""
                throw Exit.refused(
                    "The mail was not taken: \(found.failure ?? "it is still being tried")\(reply). The daemon's log has "
                        + "the cause."
                )
            }
        }
    }
}

extension AdminReply.MailView {
    static let titles = ["ID", "CREATED", "STATE", "KIND", "TO", "TRIES", "FAILURE", "NEXT TRY"]

    var cells: [String] {
        [
            id, Printing.time(createdAt), state, kind, to ?? "-", String(attempts),
            (failure ?? "-") + (reply.map { " \($0)" } ?? ""), endedAt == nil ? Printing.time(dueAt) : "-",
        ]
    }
}
