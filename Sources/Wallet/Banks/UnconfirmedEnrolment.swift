import CodeFlow
import FoundationEssentials
import Kernel

/// The tokens and cards of an enrolment, which are stored encrypted until the person confirms it.
struct UnconfirmedEnrolment: Codable, Equatable {
    let access: String
    let refresh: String?
    /// The expiry of the access token, in milliseconds.
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

    /// Decrypts an enrolment; `nil` if it was not encrypted for that attempt.
    init?(decrypting encrypted: String, of attempt: EnrolmentAttempt, by encryptor: any Encryptor) {
        guard let text = encryptor.decrypt(encrypted, as: .unconfirmedEnrolment(of: attempt.state)),
            let held = try? JSONDecoder().decode(Self.self, from: Data(text.expose().utf8))
        else { return nil }
        self = held
    }

    /// Returns the tokens encrypted, as they are stored.
    func tokens(
        of account: AccountID,
        at bankID: String,
        by encryptor: any Encryptor
    ) throws -> BankLink.EncryptedTokens {
        BankLink.EncryptedTokens(
            access: try encryptor.encrypt(Secret(access), as: .bankAccessToken(bankID, of: account)),
            refresh: try refresh.map { try encryptor.encrypt(Secret($0), as: .bankRefreshToken(bankID, of: account)) },
            expiresAt: expiresAt.map { Instant(milliseconds: $0) }
        )
    }
}

extension GrantedTokens {
    /// Returns the expiry of the access token, if the bank states one.
    func expiry(at now: Instant) -> Instant? {
        expiresIn.map { now + .seconds($0) }
    }
}
