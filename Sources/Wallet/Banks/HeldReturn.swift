import FoundationEssentials
import Kernel

/// What a bank gave, sealed until the person has said whose it is.
struct HeldReturn: Codable, Equatable {
    let access: String
    let refresh: String?
    /// Milliseconds.
    let expiresAt: Int64?
    let cards: [Card]

    struct Card: Codable, Equatable {
        let reference: String
        let lastFour: String
        let network: String
    }

    init(_ tokens: BankTokens, _ cards: [BankCard], at now: Instant) {
        access = tokens.accessToken.expose()
        refresh = tokens.refreshToken?.expose()
        expiresAt = tokens.expiry(at: now)?.milliseconds
        self.cards = cards.map { Card(reference: $0.reference, lastFour: $0.lastFour, network: $0.network) }
    }

    var bankCards: [BankCard] {
        cards.map { BankCard(reference: $0.reference, lastFour: $0.lastFour, network: $0.network) }
    }

    func sealed(for attempt: EnrolmentAttempt, _ sealing: any WalletSealing) throws -> String {
        let text = String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
        return try sealing.seal(Secret(text), as: SealContext.held(of: attempt.state))
    }

    /// `nil` for what was not sealed for that attempt.
    init?(opening sealed: String, of attempt: EnrolmentAttempt, _ sealing: any WalletSealing) {
        guard let text = sealing.open(sealed, as: SealContext.held(of: attempt.state)),
            let held = try? JSONDecoder().decode(Self.self, from: Data(text.expose().utf8))
        else { return nil }
        self = held
    }

    /// The tokens as they are kept.
    func tokens(of account: AccountID, at bankID: String, _ sealing: any WalletSealing) throws -> BankLink.SealedTokens
    {
        BankLink.SealedTokens(
            access: try sealing.seal(Secret(access), as: SealContext.access(bankID, of: account)),
            refresh: try refresh.map { try sealing.seal(Secret($0), as: SealContext.refresh(bankID, of: account)) },
            expiresAt: expiresAt.map { Instant(milliseconds: $0) }
        )
    }
}

extension BankTokens {
    /// A year: more is a fault in the bank's units.
    private static let longestLifetime = 366 * 86_400

    /// When the access token is over, if the bank says so.
    func expiry(at now: Instant) -> Instant? {
        expiresIn.map { now + .seconds(max(0, min($0, Self.longestLifetime))) }
    }
}
