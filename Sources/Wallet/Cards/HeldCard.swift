package import Kernel

/// A card as stored.
///
/// A removed card is kept, because payments refer to it and no sync may add it again.
package struct HeldCard: Sendable, Equatable {
    package let id: CardID
    package let account: AccountID
    package let bankID: String
    package var bankCard: BankCard
    /// Whether this is the account's default card, which a removed card never is.
    package var isDefault: Bool
    package var addedAt: Instant
    package var removal: Removal?

    package init(
        id: CardID,
        account: AccountID,
        bankID: String,
        bankCard: BankCard,
        isDefault: Bool,
        addedAt: Instant,
        removal: Removal? = nil
    ) {
        self.id = id
        self.account = account
        self.bankID = bankID
        self.bankCard = bankCard
        self.isDefault = isDefault
        self.addedAt = addedAt
        self.removal = removal
    }

    /// The time and cause of a removal.
    package struct Removal: Sendable, Equatable {
        package let at: Instant
        package let cause: Cause

        package init(at: Instant, cause: Cause) {
            self.at = at
            self.cause = cause
        }

        package enum Cause: String, Sendable, CaseIterable {
            /// The person removed the card: it stays removed until the bank is unlinked and enrolled again.
            case person
            /// The bank no longer lists the card: it is added again if the bank lists it again.
            case bank
            /// The bank was unlinked.
            case unlink
        }
    }
}
