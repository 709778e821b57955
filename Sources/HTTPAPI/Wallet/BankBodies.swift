import Wire

/// The answer to `GET /api/mobile/enrollment/banks`.
struct BanksResponse: Codable, Sendable, Equatable {
    /// In the order of their ids.
    var banks: [BankView]
}

/// A bank whose cards can be added to a wallet.
struct BankView: Codable, Sendable, Equatable {
    var bsimId: String
    var name: String
    var logoUrl: String?
}

/// The body of `POST /api/mobile/enrollment/start/{bsimId}`, which may be empty.
struct StartEnrollmentRequest: Codable, Sendable, Equatable {
    /// The app's address at which the enrolment ends, out of the operator's list; by default the first.
    var deepLink: String?
}

/// The answer to the start of a bank's enrolment.
struct StartEnrollmentResponse: Codable, Sendable, Equatable {
    /// The bank's page, which the app opens in a browser.
    var authUrl: String
    var bsimId: String
    /// The seconds after which a return from the bank is refused.
    var expiresIn: Int
}

/// The cards of a wallet: the answer to `GET /api/mobile/wallet/cards`, and to the choice of a default card.
struct WalletCardsResponse: Codable, Sendable, Equatable {
    /// The default card first, then the newest.
    var cards: [WalletCardView]
}

/// The answer to `POST /api/mobile/wallet/banks/{bsimId}/sync`.
struct SyncResponse: Codable, Sendable, Equatable {
    /// All cards of the wallet: the default card first, then the newest.
    var cards: [WalletCardView]
    /// The number of the bank's cards that were not in the wallet.
    var added: Int
    /// The number of the wallet's cards that the bank no longer has.
    var removed: Int
}

/// The answer to `GET /api/mobile/profile`.
struct ProfileResponse: Codable, Sendable, Equatable {
    var user: SignedInUser
    /// Whether the device of this session has a key to sign in with.
    var biometricEnabled: Bool
}
