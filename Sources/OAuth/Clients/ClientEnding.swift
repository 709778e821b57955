package import Kernel

/// Port: ends the sessions and requests of disabled clients.
package protocol ClientEnding: Sendable {
    /// Ends everything granted to a disabled client, in the caller's unit of work. Enabling the client does not restore
    /// it.
    func endAll(ofDisabled client: String, in transaction: borrowing Transaction) throws

    /// Revokes the client's sessions in batches and ends its requests in memory, after the commit.
    func settle(ofDisabled client: String) async throws
}
