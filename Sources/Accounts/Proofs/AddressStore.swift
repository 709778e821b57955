package import Kernel

/// Port: the addresses of accounts, and which are proven.
package protocol AddressStore: Sendable {
    /// Its own, and the one that it claims.
    func addresses(of account: AccountID, in transaction: borrowing Transaction) throws -> [VerifiedEmail]

    /// The account claims the address from now on, in the place of any other that it claims.
    func claim(
        _ email: EmailAddress,
        for account: AccountID,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws

    /// An address that is only claimed becomes the account's own by this.
    ///
    /// Returns `false` if the address is proven already, or neither the account's nor claimed by it, or another's by now.
    func markVerified(
        _ email: EmailAddress,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws
        -> Bool

    /// Takes every address but that one from the account, its claim too; returns those that were its own.
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
