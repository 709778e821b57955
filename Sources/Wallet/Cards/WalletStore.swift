package import Kernel

/// Port: stores the links of banks, and their cards.
package protocol WalletStore: Sendable {
    /// Returns the contents of the wallet.
    func contents(of account: AccountID) async throws -> WalletContents

    /// Returns the cards of ``contents(of:)``, in its order.
    func cards(of account: AccountID, in transaction: borrowing Transaction) throws -> [WalletCard]

    /// Returns all cards of the account, including removed ones.
    func heldCards(of account: AccountID, in transaction: borrowing Transaction) throws -> [HeldCard]

    /// Inserts a card, or replaces the one of that id.
    ///
    /// - Throws: ``StoreError/conflict(cause:)`` for a second default card, a second of one reference at one bank,
    ///   and one of a bank that has no link.
    func put(_ card: HeldCard, in transaction: borrowing Transaction) throws

    /// Deletes removed cards of a bank beyond a limit, the longest removed first, and those removed by the person last.
    func forgetRemoved(
        _ bankID: String,
        of account: AccountID,
        keeping: Int,
        in transaction: borrowing Transaction
    ) throws

    func link(_ bankID: String, of account: AccountID) async throws -> BankLink?

    func link(_ bankID: String, of account: AccountID, in transaction: borrowing Transaction) throws -> BankLink?

    /// Writes a link over that version, which is `nil` for a new link.
    ///
    /// This is a compare-and-swap: of many at once one gets `true`.
    func put(_ link: BankLink, over version: Int?, in transaction: borrowing Transaction) throws -> Bool
}
