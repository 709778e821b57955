package import Kernel

/// Port: ends all sessions of an account, with everything that was started in them.
package protocol SessionEnding: Sendable {
    /// Ends the sessions in the caller's unit of work, and returns how many ended.
    func signOutEverywhere(_ account: AccountID, in transaction: borrowing Transaction) throws -> Int

    /// Ends the state in memory of those sessions, once the sign-out is durable.
    func settleSignOut(of account: AccountID) async throws
}
