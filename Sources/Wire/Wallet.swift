/// The answer to `GET /api/mobile/wallet/summary`.
public struct WalletSummaryResponse: Codable, Sendable, Equatable {
    /// Whose wallet it is.
    public var user: SignedInUser
    /// The default one first, then the newest.
    public var cards: [WalletCardView]
    /// The banks that were let in, by name.
    public var enrolledBanks: [WalletBankView]
    /// Whether the device of this session signs in by a key.
    public var biometricEnabled: Bool

    /// An answer with what is in the wallet.
    public init(
        user: SignedInUser,
        cards: [WalletCardView],
        enrolledBanks: [WalletBankView],
        biometricEnabled: Bool
    ) {
        self.user = user
        self.cards = cards
        self.enrolledBanks = enrolledBanks
        self.biometricEnabled = biometricEnabled
    }
}

/// A card of a wallet.
public struct WalletCardView: Codable, Sendable, Equatable {
    /// The card's id at the wallet.
    public var id: String
    /// The number's last four digits.
    public var lastFour: String
    /// The scheme: `VISA`.
    public var cardType: String
    /// The bank's name.
    public var bankName: String
    /// Where the bank's logo is, for banks that have one.
    public var bankLogo: String?
    /// The bank's id.
    public var bsimId: String
    /// Whether payments take this card unless another is named.
    public var isDefault: Bool
    /// UTC, `2026-01-31T09:05:00Z`.
    public var addedAt: String

    /// A card with those members.
    public init(
        id: String,
        lastFour: String,
        cardType: String,
        bankName: String,
        bankLogo: String?,
        bsimId: String,
        isDefault: Bool,
        addedAt: String
    ) {
        self.id = id
        self.lastFour = lastFour
        self.cardType = cardType
        self.bankName = bankName
        self.bankLogo = bankLogo
        self.bsimId = bsimId
        self.isDefault = isDefault
        self.addedAt = addedAt
    }
}

/// A bank that a wallet is let in at.
public struct WalletBankView: Codable, Sendable, Equatable {
    /// The bank's id.
    public var bsimId: String
    /// The bank's name.
    public var name: String
    /// How many cards of the wallet are of it.
    public var cardCount: Int

    /// A bank with so many cards.
    public init(bsimId: String, name: String, cardCount: Int) {
        self.bsimId = bsimId
        self.name = name
        self.cardCount = cardCount
    }
}
