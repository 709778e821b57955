/// The answer to `GET /api/mobile/wallet/summary`.
public struct WalletSummaryResponse: Codable, Sendable, Equatable {
    /// The owner of the wallet.
    public var user: SignedInUser
    /// The wallet's cards: the default card first, then the newest.
    public var cards: [WalletCardView]
    /// The enrolled banks, by name.
    public var enrolledBanks: [WalletBankView]
    /// Whether the device of this session signs in by a key.
    public var biometricEnabled: Bool

    /// Creates an answer with the content of the wallet.
    public init(user: SignedInUser, cards: [WalletCardView], enrolledBanks: [WalletBankView], biometricEnabled: Bool) {
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
    /// The address of the bank's logo, if the bank has one.
    public var bankLogo: String?
    /// The bank's id.
    public var bsimId: String
    /// Whether payments use this card by default.
    public var isDefault: Bool
    /// UTC, `2026-01-31T09:05:00Z`.
    public var addedAt: String

    /// Creates a card.
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

/// An enrolled bank of a wallet.
public struct WalletBankView: Codable, Sendable, Equatable {
    /// The bank's id.
    public var bsimId: String
    /// The bank's name.
    public var name: String
    /// The number of the wallet's cards from this bank.
    public var cardCount: Int

    /// Creates a bank with its number of cards.
    public init(bsimId: String, name: String, cardCount: Int) {
        self.bsimId = bsimId
        self.name = name
        self.cardCount = cardCount
    }
}
