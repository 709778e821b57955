package import Crypto
package import Kernel

/// The audit as a keyed hash chain: each row's HMAC-SHA256 (RFC 2104) covers the row and the hash before it, so that
/// nobody without the key can change, drop or slip in a row unnoticed.
///
/// One chain a node.
package struct AuditChain: Sendable {
    let node: String
    let store: any AuditStore
    /// Ready with the key: taking it in costs more than a row does.
    private let keyed: HMAC<SHA256>

    package init(node: String, key: SymmetricKey, store: any AuditStore) {
        self.node = node
        keyed = HMAC(key: key)
        self.store = store
    }

    /// Appends in the caller's unit of work.
    package func append(_ entry: AuditEntry, in transaction: borrowing Transaction) throws {
        let head = try store.head(of: node, in: transaction) ?? AuditHead(number: 0, hash: .zero)
        let number = head.number + 1
        let hash = hash(entry, number: number, after: head.hash)
        try store.append(
            AuditRow(node: node, number: number, entry: entry, previousHash: head.hash, hash: hash),
            in: transaction
        )
    }

    /// Whether the row is the one that follows `head`, as it was written.
    func follows(_ row: AuditRow, _ head: AuditHead) -> Bool {
        row.number == head.number + 1 && row.previousHash.matches(head.hash)
            && hash(row.entry, number: row.number, after: head.hash).matches(row.hash)
    }

    private func hash(_ entry: AuditEntry, number: Int64, after previous: Digest256) -> Digest256 {
        let fields: [String?] = [
            node, String(number), String(entry.at.milliseconds), entry.fact, entry.subject,
            entry.account?.description, entry.detail,
        ]
        var row = previous.bytes
        row.reserveCapacity(320)
        for field in fields {
            // The length before each field, and one that no text has for none: no two rows can have the same bytes.
            let length = field.map { UInt64($0.utf8.count) } ?? .max
            withUnsafeBytes(of: length.bigEndian) { row.append(contentsOf: $0) }
            row.append(contentsOf: (field ?? "").utf8)
        }
        var mac = keyed
        mac.update(data: row)
        return mac.finalize().withUnsafeBytes { Digest256($0) } ?? .zero
    }
}
