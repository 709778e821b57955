package import Kernel

/// Port: the addresses of accounts, and which are proven.
package protocol AddressStore: Sendable {
    /// Its own, and the one that it claims.
    func addresses(of account: AccountID, in transaction: borrowing Transaction) throws -> [VerifiedEmail]

    /// An address that is only claimed becomes the account's own by this.
    ///
    /// Returns `false` if the address is proven already, or neither the account's nor claimed by it, or another's by now.
    func markVerified(
        _ email: EmailAddress,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws
        -> Bool
}
