package import Kernel

/// Port: ends all that a person is signed in to, with what was begun from there.
package protocol SessionEnding: Sendable {
    /// In the caller's unit of work; returns how many sessions ended.
    func signOutEverywhere(_ account: AccountID, in transaction: borrowing Transaction) throws -> Int

    /// Ends what of that is live in memory, once the sign-out is durable.
    func settleSignOut(of account: AccountID) async throws
}
