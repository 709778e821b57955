package import Kernel

/// Port: the addresses of accounts, and which are proven.
package protocol AddressStore: Sendable {
    func addresses(of account: AccountID, in transaction: borrowing Transaction) throws -> [VerifiedEmail]

    /// Returns `false` if the address is proven already, or not the account's.
    func markVerified(
        _ email: EmailAddress,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws
        -> Bool
}
