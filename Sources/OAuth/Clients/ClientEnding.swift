package import Kernel

/// Port: ends the sessions and requests of disabled clients.
package protocol ClientEnding: Sendable {
    /// Ends everything granted to a disabled client, in the caller's unit of work; enabling it again revives nothing.
    func endAll(ofDisabled client: String, in transaction: borrowing Transaction) throws

    /// Ends the parts in memory, after the commit.
    func settle(ofDisabled client: String) async throws
}
