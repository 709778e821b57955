package import Kernel

/// Port: the addresses of accounts, verified and claimed.
package protocol AddressStore: Sendable {
    /// Returns the account's own addresses, and the one that it claims.
    func addresses(of account: AccountID, in transaction: borrowing Transaction) throws -> [VerifiedEmail]

    /// Claims the address for the account, in place of any other address that it claims.
    func claim(
        _ email: EmailAddress,
        for account: AccountID,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws

    /// Makes the address the account's own, also if it was only claimed.
    ///
    /// - Returns: `false` if the address is already verified, neither the account's nor claimed by it, or by now
    ///   another account's.
    func markVerified(
        _ email: EmailAddress,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws
        -> Bool

    /// Removes the account's other addresses and its claim; returns the removed addresses that were its own.
    func dropOthers(
        than email: EmailAddress,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> [VerifiedEmail]

    /// Returns the active accounts that were opened with the address and have not verified it, the oldest claim first.
    ///
    /// Such an account claims the address, and has no address and no user name of its own.
    func unverifiedAccounts(
        openedWith email: EmailAddress,
        limit: Int,
        in transaction: borrowing Transaction
    ) throws -> [AccountID]

    /// Whether the address is another account's own, and not only claimed by it.
    func isTaken(
        _ email: EmailAddress,
        besides account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> Bool
}
