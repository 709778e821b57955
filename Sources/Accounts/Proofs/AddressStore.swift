package import Kernel

/// Port: the addresses of accounts, verified and claimed.
package protocol AddressStore: Sendable {
    /// Returns the account's own addresses, and the one that it claims.
    func addresses(of account: AccountID, in transaction: borrowing Transaction) throws -> [VerifiedEmail]

    /// Claims the address for the account, instead of any other that it claims.
    func claim(
        _ email: EmailAddress,
        for account: AccountID,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws

    /// Makes the address the account's own, also if it was only claimed.
    ///
    /// - Returns: `false` if the address is verified already, neither the account's nor claimed by it, or another
    ///   account's by now.
    func markVerified(
        _ email: EmailAddress,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws
        -> Bool

    /// Removes every other address of the account and its claim; returns those that were its own.
    func dropOthers(
        than email: EmailAddress,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> [VerifiedEmail]

    /// Whether the address is an account's own, other than that one's.
    func isTaken(
        _ email: EmailAddress,
        besides account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> Bool
}
