package import Crypto
import Kernel

/// The key of the HMAC of each row of the audit.
package struct AuditRowKey: Sendable {
    private let keyed: KeyedHash

    package init(_ key: SymmetricKey) { keyed = KeyedHash(key: key) }

    /// Whether the row's hash was made with this key for the row's chain, without a check of the previous row.
    package func hasMade(_ row: AuditRow) -> Bool {
        hash(row.entry, at: row.number, of: row.node, after: row.previousHash).matches(row.hash)
    }

    /// The hash covers the chain's name, so that a row that is moved to another chain does not fit there.
    func hash(_ entry: AuditEntry, at number: Int64, of chain: String, after previous: Digest256) -> Digest256 {
        let fields: [String?] = [
            chain, String(number), String(entry.at.milliseconds), entry.event, entry.subject,
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
