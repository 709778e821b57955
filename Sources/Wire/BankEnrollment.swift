/// The answer to `GET /api/mobile/enrollment/banks`.
public struct BanksResponse: Codable, Sendable, Equatable {
    /// By their ids.
    public var banks: [BankView]

    /// An answer with those banks.
    public init(banks: [BankView]) { self.banks = banks }
}

/// A bank whose cards can be brought into a wallet.
public struct BankView: Codable, Sendable, Equatable {
    /// The bank's id.
    public var bsimId: String
    /// The bank's name.
    public var name: String
    /// Where its logo is, for banks that have one.
    public var logoUrl: String?

    /// A bank with those members.
    public init(bsimId: String, name: String, logoUrl: String?) {
        self.bsimId = bsimId
        self.name = name
        self.logoUrl = logoUrl
    }
}

/// The body of `POST /api/mobile/enrollment/start/{bsimId}`, which may be empty.
public struct StartEnrollmentRequest: Codable, Sendable, Equatable {
    /// Where in the app it is to end, out of the operator's list; without it at the first of them.
    public var deepLink: String?
}

/// The answer to the start of a bank's enrolment.
public struct StartEnrollmentResponse: Codable, Sendable, Equatable {
    /// The bank's page, which a browser is to open.
    public var authUrl: String
    /// The bank's id.
    public var bsimId: String
    /// Seconds until the way back is closed.
    public var expiresIn: Int

    /// An answer with that page.
    public init(authUrl: String, bsimId: String, expiresIn: Int) {
        self.authUrl = authUrl
        self.bsimId = bsimId
        self.expiresIn = expiresIn
    }
}

/// The cards of a wallet: the answer to `GET /api/mobile/wallet/cards`, and to the choice of a default one.
public struct WalletCardsResponse: Codable, Sendable, Equatable {
    /// The default one first, then the newest.
    public var cards: [WalletCardView]

    /// An answer with those cards.
    public init(cards: [WalletCardView]) { self.cards = cards }
}

/// The answer to `POST /api/mobile/wallet/banks/{bsimId}/sync`.
public struct SyncResponse: Codable, Sendable, Equatable {
    /// All cards of the wallet: the default one first, then the newest.
    public var cards: [WalletCardView]
    /// How many the bank has that were not in the wallet.
    public var added: Int
    /// How many were in the wallet that the bank has no longer.
    public var removed: Int

    /// An answer with those cards.
    public init(cards: [WalletCardView], added: Int, removed: Int) {
        self.cards = cards
        self.added = added
        self.removed = removed
    }
}
