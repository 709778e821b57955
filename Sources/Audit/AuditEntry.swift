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

/// An entry at its place in a chain.
package struct AuditRow: Sendable, Equatable {
    /// The name of the chain, which is the node's for lane 0.
    package let node: String
    /// 1, 2, 3, … in each chain.
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

/// The end of a chain.
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
    /// Returns the names of a node's chains that have rows, in no order.
    ///
    /// These are the node's own name, and the names that begin with it and a full stop. The time is that of a few
    /// lookups for each chain, however many rows there are.
    func chains(of node: String) async throws -> [String]
    /// Returns the same names in a unit of work.
    func chains(of node: String, in transaction: borrowing Transaction) throws -> [String]
    /// Returns the end of a chain, or `nil` before its first row.
    func head(of chain: String, in transaction: borrowing Transaction) throws -> AuditHead?

    /// Returns the last row of the chain for a row that is appended in the same unit of work.
    ///
    /// It may be outdated. Then the unit fails, and is run again with the last row itself.
    func headToAppendTo(of chain: String, in transaction: borrowing Transaction) throws -> AuditHead?
    /// Returns the chain's hash after row `number`: that row's own hash, or, if the row was purged, the copy in the
    /// next row.
    ///
    /// `nil` when the table has neither row.
    func hash(of chain: String, at number: Int64, in transaction: borrowing Transaction) throws -> Digest256?
    func append(_ row: AuditRow, in transaction: borrowing Transaction) throws
    /// Deletes up to `limit` of the chain's oldest rows, none after row `number`; returns how many were deleted.
    func delete(
        of chain: String,
        through number: Int64,
        limit: Int,
        in transaction: borrowing Transaction
    ) throws -> Int
    /// Returns rows of a chain in order, from `number` on.
    func rows(of chain: String, from number: Int64, limit: Int) async throws -> [AuditRow]
    /// Returns the chain's newest row with one of the events; `nil` for none.
    func newest(of chain: String, events: [String]) async throws -> AuditRow?
    /// Returns the chain's newest rows in descending order.
    func newest(of chain: String, limit: Int) async throws -> [AuditRow]
    /// Returns the chain's newest rows with those numbers that pass the filter, in descending order.
    func newest(
        of chain: String,
        in numbers: ClosedRange<Int64>,
        matching filter: AuditFilter,
        limit: Int
    ) async throws -> [AuditRow]
}

extension AuditStore {
    package func headToAppendTo(of chain: String, in transaction: borrowing Transaction) throws -> AuditHead? {
        try head(of: chain, in: transaction)
    }
}
