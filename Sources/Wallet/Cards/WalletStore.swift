package import Kernel

/// Port: stores the links to banks, and the cards of banks.
package protocol WalletStore: Sendable {
    /// Returns the contents of the wallet.
    func contents(of account: AccountID) async throws -> WalletContents

    /// Returns the cards of ``contents(of:)``, in its order.
    func cards(of account: AccountID, in transaction: borrowing Transaction) throws -> [WalletCard]

    /// Returns all cards of the account, including removed ones.
    func heldCards(of account: AccountID, in transaction: borrowing Transaction) throws -> [HeldCard]

    /// Inserts a card, or replaces the one of that id.
    ///
    /// - Throws: ``StoreError/conflict(cause:)`` for a second default card, a second card with the same reference at a
    ///   bank, or a card of a bank without a link.
    func put(_ card: HeldCard, in transaction: borrowing Transaction) throws

    /// Deletes a bank's removed cards beyond `keeping`, the longest removed first; the person's own removals go last.
    func forgetRemoved(
        _ bankID: String,
        of account: AccountID,
        keeping: Int,
        in transaction: borrowing Transaction
    ) throws

    func link(_ bankID: String, of account: AccountID) async throws -> BankLink?

    func link(_ bankID: String, of account: AccountID, in transaction: borrowing Transaction) throws -> BankLink?

    /// Writes a link if the stored version is `version`, which is `nil` for a new link.
    ///
    /// Of concurrent calls, one gets `true` (compare-and-swap).
    func put(_ link: BankLink, over version: Int?, in transaction: borrowing Transaction) throws -> Bool
}
