package import Kernel

/// Port: where banks' links and cards are kept.
package protocol WalletStore: Sendable {
    /// What is in the wallet now.
    func contents(of account: AccountID) async throws -> WalletContents

    /// The cards of ``contents(of:)``, in its order.
    func cards(of account: AccountID, in transaction: borrowing Transaction) throws -> [WalletCard]

    /// All cards of the account, those that were removed as well.
    func heldCards(of account: AccountID, in transaction: borrowing Transaction) throws -> [HeldCard]

    /// Writes a card, new or in place of the one of that id.
    ///
    /// - Throws: ``StoreError/conflict(cause:)`` for a second default card, a second of one reference at one bank,
    ///   and one of a bank that has no link.
    func put(_ card: HeldCard, in transaction: borrowing Transaction) throws

    /// Forgets removed cards of a bank over so many, the longest removed first and those that a person removed last.
    func forgetRemoved(
        _ bankID: String,
        of account: AccountID,
        keeping: Int,
        in transaction: borrowing Transaction
    ) throws

    func link(_ bankID: String, of account: AccountID) async throws -> BankLink?

    func link(_ bankID: String, of account: AccountID, in transaction: borrowing Transaction) throws -> BankLink?

    /// Writes a link over that version, `nil` where there must be none yet.
    ///
    /// A compare-and-swap: of many at once one gets `true`.
    func put(_ link: BankLink, over version: Int?, in transaction: borrowing Transaction) throws -> Bool
}
