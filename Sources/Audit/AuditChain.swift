// Audit: the tamper-evident log of security events.
// Owns the keyed hash chains, their signed checkpoints, their verification, and the deletion of old rows.
// Makes no decisions. A row is written in the unit of work of the change that it records, refusals in batches.
// Survives deleted, changed and reordered rows: verification says where a chain is broken.
// Holds no secret, token or face data.

package import Crypto
package import Kernel

/// The audit as keyed hash chains: each row's HMAC-SHA256 (RFC 2104) covers the row and the previous row's hash.
///
/// Changed, deleted or inserted rows are noticed unless the attacker has the key.
///
/// Each connection that writes (``Transaction/lane``) has a chain of its own, so that units that run at the same time
/// don't compete for the next number. Lane 0 appends to the chain with the node's name, like `local`, and lane 3 to
/// `local.3`. A node's name has no full stop.
package struct AuditChain: Sendable {
    let node: String
    let store: any AuditStore
    private let rowKey: AuditRowKey
    let now: @Sendable () -> Instant

    /// `now`: The time of records that carry none.
    package init(node: String, key: SymmetricKey, store: any AuditStore, now: @escaping @Sendable () -> Instant) {
        self.node = node
        rowKey = AuditRowKey(key)
        self.store = store
        self.now = now
    }

    /// Appends a row to the chain of the connection, in the caller's unit of work.
    package func append(_ entry: AuditEntry, in transaction: borrowing Transaction) throws {
        try append(entry, to: name(ofLane: transaction.lane), in: transaction)
    }

    /// Appends a row to a chain in the caller's unit of work, and returns the row's number.
    ///
    /// A unit of another lane competes with the units of the chain's own lane, and may have to be run again.
    @discardableResult
    func append(_ entry: AuditEntry, to name: String, in transaction: borrowing Transaction) throws -> Int64 {
        let head = try store.headToAppendTo(of: name, in: transaction) ?? AuditHead(number: 0, hash: .zero)
        let number = head.number + 1
        let hash = rowKey.hash(entry, at: number, of: name, after: head.hash)
        try store.append(
            AuditRow(node: name, number: number, entry: entry, previousHash: head.hash, hash: hash),
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
