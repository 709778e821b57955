package import Crypto
import Kernel

/// The key of the HMAC of each row in a node's chain.
package struct AuditRowKey: Sendable {
    private let node: String
    private let keyed: KeyedHash

    package init(node: String, key: SymmetricKey) {
        self.node = node
        keyed = KeyedHash(key: key)
    }

    /// Whether the row's hash was made with this key, without a check of the previous row.
    package func hasMade(_ row: AuditRow) -> Bool {
        hash(row.entry, number: row.number, after: row.previousHash).matches(row.hash)
    }

    func hash(_ entry: AuditEntry, number: Int64, after previous: Digest256) -> Digest256 {
        let fields: [String?] = [
            node, String(number), String(entry.at.milliseconds), entry.event, entry.subject,
            entry.account?.description, entry.detail,
        ]
        var row = previous.bytes
        row.reserveCapacity(320)
        for field in fields {
            // Each field follows its length, and a missing field has the greatest length: no two rows give the same
            // bytes.
            let length = field.map { UInt64($0.utf8.count) } ?? .max
            withUnsafeBytes(of: length.bigEndian) { row.append(contentsOf: $0) }
            row.append(contentsOf: (field ?? "").utf8)
        }
        return keyed.digest(row)
    }
}
