package import Kernel

/// Port: the operations of all daemons that share a database.
///
/// It is asked only where several daemons share one. Elsewhere every live operation is in the cache, and the table needs
/// no index for them.
package protocol SharedOperations: Sendable {
    /// Returns the live operations whose newest version the daemon wrote, after `row` in ascending order of row ids.
    func live(of node: NodeName, after row: OperationRowID?, limit: Int) async throws -> [Operation]

    /// Returns the versions of the same operations, in the same order.
    func liveVersions(of node: NodeName, after row: OperationRowID?, limit: Int) async throws -> [StoredVersion]

    /// Returns live operations that may be a client's: those that it has requested, and those of this server's own pages
    /// for any client.
    ///
    /// They are those after `last` in the order of their writers, and of one writer in that of their row ids.
    func live(ofClient client: String, after last: Operation?, limit: Int) async throws -> [Operation]

    /// Returns the account's live operations, in the order of their row ids.
    func live(ofAccount account: AccountID, in transaction: borrowing Transaction) throws -> [Operation]

    /// Returns an operation, live or terminal.
    func find(publicID: Digest256) async throws -> Operation?

    /// Returns the operation of a landing page, and SHA-256 of the cookie of the browser that last began its scan.
    ///
    /// One that ended without any scan is not found.
    func find(ticket: Digest256) async throws -> (operation: Operation, browser: Digest256?)?
}

/// Which version of an operation the database has.
package struct StoredVersion: Sendable, Equatable {
    package let row: OperationRowID
    package let publicID: Digest256
    package let seq: Int64

    package init(row: OperationRowID, publicID: Digest256, seq: Int64) {
        self.row = row
        self.publicID = publicID
        self.seq = seq
    }
}
