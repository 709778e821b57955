import Accounts
import ArgumentParser
import Audit
import Kernel

/// `vestibule audit list`: rows of the audit, the newest first.
struct ListAudit: CommandLineCommand {
    static let name = "listAudit"
    static let replyName = "auditRows"
    static let effect = CommandEffect.reads

    /// The most rows of one reply to a search.
    static let mostRows = 1000

    var limit: Int
    /// An event's name, or the first part of some with a full stop at its end.
    var event: String?
    /// The id of what the events happened to.
    var subject: String?
    var account: String?
    /// Milliseconds since 1970: the time of the newest row.
    var until: Int64?

    func handle(_ services: AdminServices) async throws -> [AuditRowView] {
        guard event != nil || subject != nil || account != nil || until != nil else {
            return try await services.audit.newest(ListLimit.rows(limit)).map(AuditRowView.init)
        }
        var filter = AuditFilter(event: event, subject: subject)
        if let account { filter.account = try await services.accounts.show(account).account.id }
        filter.until = until.map { Instant(milliseconds: $0) }
        return try await services.audit.search(filter, limit: min(max(limit, 0), Self.mostRows))
            .map(AuditRowView.init)
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "list",
            "List rows of the audit, the newest first.",
            about: """
                A search reads the newest 200,000 rows of each chain before --until.
                """,
            examples: [
                "vestibule audit list", "vestibule audit list --event operator. --limit 1000 --json",
                "vestibule audit list --account person@example.com",
            ]
        )

        @Option(
            help: ArgumentHelp("Only this event, or with a full stop at its end all that begin so.", valueName: "event")
        )
        var event: String?
        @Option(help: ArgumentHelp("Only events of this id: an operation's row, a client, a key.", valueName: "id"))
        var subject: String?
        @Option(help: "Only events of this account (e-mail address, user name or id).") var account: String?
        @Option(help: ArgumentHelp("Only rows up to this time, in milliseconds since 1970.", valueName: "time"))
        var until: Int64?
        @Option(help: "The largest number of rows.") var limit = 50

        func command(_ input: CommandInput) -> any AdminCommand<[AuditRowView]> {
            ListAudit(limit: limit, event: event, subject: subject, account: account, until: until)
        }
    }
}

/// A row of the audit.
struct AuditRowView: Codable, Sendable, TableRow {
    /// The name of the row's chain: the node's, or for another connection than the first `local.3` and the like.
    let chain: String
    let number: Int64
    /// Milliseconds since 1970.
    let at: Int64
    let fact: String
    let subject: String
    let account: String?
    let detail: String?

    init(_ row: AuditRow) {
        chain = row.node
        number = row.number
        at = row.entry.at.milliseconds
        fact = row.entry.event
        subject = row.entry.subject
        account = row.entry.account?.description
        detail = row.entry.detail
    }

    static let titles = ["ROW", "TIME", "FACT", "SUBJECT", "DETAIL"]

    var cells: [String] { [position, Rendering.time(at), fact, subject, detail ?? "-"] }

    /// The row's number, and the chain if it is not the node's own.
    private var position: String { chain.contains(".") ? "\(chain):\(number)" : String(number) }
}
