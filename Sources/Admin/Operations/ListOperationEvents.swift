import ArgumentParser
import Audit
import Kernel
import Operations

/// `vestibule operations history`: what the audit has about one operation, the oldest first.
struct ListOperationEvents: CommandLineCommand {
    static let name = "listOperationEvents"
    static let replyName = "auditRows"
    static let effect = CommandEffect.reads

    /// The time after its end at which a login's last rows are written.
    private static let afterEnd: Duration = .seconds(900)
    private static let mostRows = 200

    var row: String

    func handle(_ services: AdminServices) async throws -> [AuditRowView] {
        let operation = try await services.found(row)
        var filter = AuditFilter(subject: operation.id.description)
        filter.since = operation.validity.createdAt
        filter.until = (operation.state.endedAt ?? operation.validity.deadline) + Self.afterEnd
        return try await services.audit.search(filter, limit: Self.mostRows).reversed().map(AuditRowView.init)
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "history",
            "List the audited events of one operation, the oldest first.",
            examples: ["vestibule operations history 0b54b1a2-6c1f-4c1e-9d9c-3f6f0a0f7a11"]
        )

        @Argument(help: "The operation's row id, as `list` and the log show it.") var row: String

        func command(_ input: CommandInput) -> any AdminCommand<[AuditRowView]> { ListOperationEvents(row: row) }
    }
}
