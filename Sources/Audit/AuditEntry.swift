package import Kernel

/// One event that an auditor may ask for.
///
/// It holds no secret.
package struct AuditEntry: Sendable, Equatable {
    package let at: Instant
    /// The event's name, like `operation.redeemed` or `account.disabled`.
    package let event: String
    /// The id of the event's subject: an operation's row, an account, or a key.
    package let subject: String
    package let account: AccountID?
    package let detail: String?

    package init(at: Instant, event: String, subject: String, account: AccountID?, detail: String?) {
        self.at = at
        self.event = event
        self.subject = subject
        self.account = account
        self.detail = detail
    }
}

/// An entry at its place in a node's chain.
package struct AuditRow: Sendable, Equatable {
    package let node: String
    /// 1, 2, 3, … on each node.
    package let number: Int64
    package let entry: AuditEntry
    package let previousHash: Digest256
    package let hash: Digest256

    package init(node: String, number: Int64, entry: AuditEntry, previousHash: Digest256, hash: Digest256) {
        self.node = node
        self.number = number
        self.entry = entry
        self.previousHash = previousHash
        self.hash = hash
    }
}

/// The end of a node's chain.
package struct AuditHead: Sendable, Equatable {
    package let number: Int64
    package let hash: Digest256

    package init(number: Int64, hash: Digest256) {
        self.number = number
        self.hash = hash
    }
}

/// Port: the table of audit rows.
package protocol AuditStore: Sendable {
    /// Returns the end of the node's chain, or `nil` before its first row.
    func head(of node: String, in transaction: borrowing Transaction) throws -> AuditHead?
    /// Returns the chain's hash after row `number`: that row's own hash, or, if the row was purged, the copy in the
    /// next row.
    ///
    /// `nil` when the table has neither row.
    func hash(of node: String, at number: Int64, in transaction: borrowing Transaction) throws -> Digest256?
    func append(_ row: AuditRow, in transaction: borrowing Transaction) throws
    /// Deletes up to `limit` of the node's oldest rows, none after row `number`; returns how many were deleted.
    func delete(of node: String, through number: Int64, limit: Int, in transaction: borrowing Transaction) throws -> Int
    /// Returns rows of a node in order, from `number` on.
    func rows(of node: String, from number: Int64, limit: Int) async throws -> [AuditRow]
    /// Returns the node's newest row with one of the events; `nil` for none.
    func newest(of node: String, events: [String]) async throws -> AuditRow?
    /// Returns the node's newest rows in descending order.
    func newest(of node: String, limit: Int) async throws -> [AuditRow]
}
