package import Kernel

/// A card in a wallet, as the list of cards shows it.
package struct WalletCard: Sendable, Equatable {
    package let id: CardID
    /// The bank's token reference, by which a payment names the card; only redeeming a card token reveals it.
    package let reference: String
    package let label: CardLabel
    package let bankID: String
    package let bankLogo: String?
    package let isDefault: Bool
    package let addedAt: Instant

    package init(
        id: CardID,
        reference: String,
        label: CardLabel,
        bankID: String,
        bankLogo: String?,
        isDefault: Bool,
        addedAt: Instant
    ) {
        self.id = id
        self.reference = reference
        self.label = label
        self.bankID = bankID
        self.bankLogo = bankLogo
        self.isDefault = isDefault
        self.addedAt = addedAt
    }
}

/// A bank that is linked to a wallet.
package struct WalletBank: Sendable, Equatable {
    /// The operator's id of the bank.
    package let id: String
    package let name: String
    /// The number of its cards in the wallet.
    package let cards: Int

    package init(id: String, name: String, cards: Int) {
        self.id = id
        self.name = name
        self.cards = cards
    }
}

/// The contents of a wallet, without removed cards and banks.
package struct WalletContents: Sendable, Equatable {
    /// The cards, the default one first, then the newest.
    package let cards: [WalletCard]
    /// The banks by name.
    package let banks: [WalletBank]

    package init(cards: [WalletCard], banks: [WalletBank]) {
        self.cards = cards
        self.banks = banks
    }
}
