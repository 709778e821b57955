package import Kernel
package import OAuth

/// What happened to OAuth clients, in memory: among the notes, as `client.added app`.
package struct MemoryClientAuditLog: ClientAuditLog {
    package init() {}

    package func record(
        _ fact: ClientFact,
        of client: String,
        _ detail: String?,
        in transaction: borrowing Transaction
    ) throws {
        try transaction.draft().tables.notes.append("\(fact.rawValue) \(client)")
    }
}
