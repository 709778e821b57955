// Audit: the tamper-evident log of security events.
// Owns the keyed hash chain, its signed checkpoints, their verification, and the deletion of old rows.
// Makes no decisions. A row is written in the unit of work of the change that it records, refusals in batches.
// Survives deleted, changed and reordered rows: verification says where the chain is broken.
// Holds no secret, token or face data.

package import Crypto
package import Kernel

/// The audit as a keyed hash chain: each row's HMAC-SHA256 (RFC 2104) covers the row and the previous row's hash.
///
/// Changed, deleted or inserted rows are noticed unless the attacker has the key.
///
/// Each node has a chain of its own.
package struct AuditChain: Sendable {
    let node: String
    let store: any AuditStore
    private let rowKey: AuditRowKey
    private let now: @Sendable () -> Instant

    /// `now`: The time of records that carry none.
    package init(node: String, key: SymmetricKey, store: any AuditStore, now: @escaping @Sendable () -> Instant) {
        self.node = node
        rowKey = AuditRowKey(node: node, key: key)
        self.store = store
        self.now = now
    }

    /// Appends a row in the caller's unit of work.
    package func append(_ entry: AuditEntry, in transaction: borrowing Transaction) throws {
        _ = try appendRow(entry, in: transaction)
    }

    /// Appends a row in the caller's unit of work, and returns its number.
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

    /// Whether the row comes directly after `head`, and its hash is correct.
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
