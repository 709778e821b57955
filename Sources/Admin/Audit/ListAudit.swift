import ArgumentParser
import Audit
import Kernel

/// `vestibule audit list`: rows of the audit, the newest first.
struct ListAudit: CommandLineCommand {
    static let name = "listAudit"
    static let replyName = "auditRows"

    var limit: Int

    func handle(_ services: AdminServices) async throws -> [AuditRowView] {
        try await services.audit.newest(limit).map(AuditRowView.init)
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "list",
            "List rows of the audit, the newest first.",
            examples: ["vestibule audit list", "vestibule audit list --limit 1000 --json"]
        )

        @Option(help: "The largest number of rows.") var limit = 50

        func command(_ input: CommandInput) -> any AdminCommand<[AuditRowView]> { ListAudit(limit: limit) }
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
