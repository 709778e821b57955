package import Kernel

/// A card in somebody's wallet, as the list of cards shows it.
package struct WalletCard: Sendable, Equatable {
    package let id: CardID
    /// The bank's token reference of it, which a payment names it by: never for the wallet's own answers.
    package let reference: String
    /// The card number's last four digits, which is all that is kept of it.
    package let lastFour: String
    /// The scheme: `VISA`.
    package let cardType: String
    package let bankID: String
    /// The bank's name.
    package let bank: String
    package let bankLogo: String?
    package let isDefault: Bool
    package let addedAt: Instant

    package init(
        id: CardID,
        reference: String,
        lastFour: String,
        cardType: String,
        bankID: String,
        bank: String,
        bankLogo: String?,
        isDefault: Bool,
        addedAt: Instant
    ) {
        self.id = id
        self.reference = reference
        self.lastFour = lastFour
        self.cardType = cardType
        self.bankID = bankID
        self.bank = bank
        self.bankLogo = bankLogo
        self.isDefault = isDefault
        self.addedAt = addedAt
    }
}

/// A bank that somebody has let the wallet in at.
package struct WalletBank: Sendable, Equatable {
    /// The bank's id at the wallet.
    package let id: String
    package let name: String
    /// How many of the wallet's cards are of it.
    package let cards: Int

    package init(id: String, name: String, cards: Int) {
        self.id = id
        self.name = name
        self.cards = cards
    }
}

/// What is in a wallet: what was removed is nowhere in it.
package struct WalletContents: Sendable, Equatable {
    /// The default one first, then the newest.
    package let cards: [WalletCard]
    /// By name.
    package let banks: [WalletBank]

    package init(cards: [WalletCard], banks: [WalletBank]) {
        self.cards = cards
        self.banks = banks
    }
}
