// Audit: the record of what happened, which nobody can change unnoticed.
// Owns the keyed hash chain, its checkpoints, its check and its retention.
// Decides nothing; a row is written in the unit of work of the change that it records, refusals in batches.
// Survives cut, changed and reordered rows: the check says where the chain is broken.
// Holds no secret, token or face data.

package import Crypto
package import Kernel

/// The audit as a keyed hash chain: each row's HMAC-SHA256 (RFC 2104) covers the row and the hash before it.
///
/// Nobody without the key can change, drop or insert a row unnoticed.
///
/// Each node has one chain.
package struct AuditChain: Sendable {
    let node: String
    let store: any AuditStore
    private let rowKey: AuditRowKey
    private let now: @Sendable () -> Instant

    /// `now`: The time of records without one.
    package init(node: String, key: SymmetricKey, store: any AuditStore, now: @escaping @Sendable () -> Instant) {
        self.node = node
        rowKey = AuditRowKey(node: node, key: key)
        self.store = store
        self.now = now
    }

    /// Appends in the caller's unit of work.
    package func append(_ entry: AuditEntry, in transaction: borrowing Transaction) throws {
        _ = try appendRow(entry, in: transaction)
    }

    /// Appends in the caller's unit of work, and returns the number of the row.
    func appendRow(_ entry: AuditEntry, in transaction: borrowing Transaction) throws -> Int64 {
        let head = try store.head(of: node, in: transaction) ?? AuditHead(number: 0, hash: .zero)
        let number = head.number + 1
        let hash = rowKey.hash(entry, number: number, after: head.hash)
        try store.append(
            AuditRow(node: node, number: number, entry: entry, previousHash: head.hash, hash: hash),
            in: transaction
        )
        return number
    }

    /// Returns whether the row is the one that follows `head`, as it was written.
    func follows(_ row: AuditRow, _ head: AuditHead) -> Bool {
        row.number == head.number + 1 && row.previousHash.matches(head.hash) && rowKey.hasMade(row)
    }
}

extension AuditChain: AuditLog {
    package func append(_ record: AuditRecord, in transaction: borrowing Transaction) throws {
        let entry = AuditEntry(
            at: record.at ?? now(),
            event: record.event,
            subject: record.subject ?? node,
            account: record.account,
            detail: record.detail
        )
        try append(entry, in: transaction)
    }
}
