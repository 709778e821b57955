package import Kernel

/// Port: ends what people have let a client have.
package protocol ClientEnding: Sendable {
    /// Ends, in the caller's unit of work, all that came of a client that is disabled: enabling it again revives nothing.
    func endAll(ofDisabled client: String, in transaction: borrowing Transaction) throws

    /// Ends what of that is live in memory, once it is durable.
    func settle(ofDisabled client: String) async throws
}
