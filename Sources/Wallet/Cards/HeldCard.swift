package import Kernel

/// A card as it is kept: also once it was removed, for it must not come back by itself, and payments name it.
package struct HeldCard: Sendable, Equatable {
    package let id: CardID
    package let account: AccountID
    package let bankID: String
    package let reference: String
    package var lastFour: String
    package var network: String
    /// One of an account's; never one that was removed.
    package var isDefault: Bool
    package var addedAt: Instant
    package var removal: Removal?

    package init(
        id: CardID,
        account: AccountID,
        bankID: String,
        reference: String,
        lastFour: String,
        network: String,
        isDefault: Bool,
        addedAt: Instant,
        removal: Removal? = nil
    ) {
        self.id = id
        self.account = account
        self.bankID = bankID
        self.reference = reference
        self.lastFour = lastFour
        self.network = network
        self.isDefault = isDefault
        self.addedAt = addedAt
        self.removal = removal
    }

    /// That it was removed, and by what.
    package struct Removal: Sendable, Equatable {
        package let at: Instant
        package let cause: Cause

        package init(at: Instant, cause: Cause) {
            self.at = at
            self.cause = cause
        }

        package enum Cause: String, Sendable, CaseIterable {
            /// The person: it stays away until the bank is enrolled anew after an unlink.
            case person
            /// Its bank no longer lists it: it comes back when the bank does.
            case bank
            /// Its bank was unlinked.
            case unlink
        }
    }
}
