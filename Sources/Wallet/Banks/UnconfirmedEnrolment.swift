import CodeFlow
import FoundationEssentials
import Kernel

/// What a bank gave, encrypted until the person has said whose it is.
struct UnconfirmedEnrolment: Codable, Equatable {
    let access: String
    let refresh: String?
    /// Milliseconds.
    let expiresAt: Int64?
    let cards: [BankCard]

    init(_ tokens: GrantedTokens, _ cards: [BankCard], at now: Instant) {
        access = tokens.accessToken.expose()
        refresh = tokens.refreshToken?.expose()
        expiresAt = tokens.expiry(at: now)?.milliseconds
        self.cards = cards
    }

    func encrypted(for attempt: EnrolmentAttempt, by encryptor: any Encryptor) throws -> String {
        let text = String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
        return try encryptor.encrypt(Secret(text), as: .unconfirmedEnrolment(of: attempt.state))
    }

    /// `nil` for what was not encrypted for that attempt.
    init?(decrypting encrypted: String, of attempt: EnrolmentAttempt, by encryptor: any Encryptor) {
        guard let text = encryptor.decrypt(encrypted, as: .unconfirmedEnrolment(of: attempt.state)),
            let held = try? JSONDecoder().decode(Self.self, from: Data(text.expose().utf8))
        else { return nil }
        self = held
    }

    /// The tokens as they are kept.
    func tokens(of account: AccountID, at bankID: String, by encryptor: any Encryptor) throws -> BankLink.SealedTokens {
        BankLink.SealedTokens(
            access: try encryptor.encrypt(Secret(access), as: .bankAccessToken(bankID, of: account)),
            refresh: try refresh.map { try encryptor.encrypt(Secret($0), as: .bankRefreshToken(bankID, of: account)) },
            expiresAt: expiresAt.map { Instant(milliseconds: $0) }
        )
    }
}

extension GrantedTokens {
    /// When the access token is over, if the bank says so.
    func expiry(at now: Instant) -> Instant? {
        expiresIn.map { now + .seconds($0) }
    }
}
