import CodeFlow
package import Kernel

extension BankService {
    /// Takes the answer of a person who was asked whether a bank's cards belong into that wallet.
    ///
    /// What stands against cards that land in somebody else's wallet: the account's holder sends the bank's address to
    /// another person, who signs in there (RFC 9700 §4.7).
    /// - Throws: ``StoreError``.
    package func confirm(token: Secret, agrees: Bool, bank: (String) -> Bank?) async throws -> CallbackOutcome {
        guard let attempt = try await attempts.find(confirmation: Digest256(sha256: token.expose())),
            let bank = bank(attempt.bankID)
        else { return .refused(.unknown) }
        guard case .asking(_, let encrypted) = attempt.stage else {
            return .ended(attempt.end(.failure(.stateUsed), at: bank))
        }
        guard agrees else { return try await fail(attempt, .userCancelled, at: bank) }
        guard environment.now() < attempt.expiresAt,
            let held = UnconfirmedEnrolment(decrypting: encrypted, of: attempt, by: encryptor)
        else {
            return try await fail(attempt, .stateExpired, at: bank)
        }
        return try await settle(held, attempt, at: bank)
    }

    /// What a further return with one state comes to: its question once more, as long as nobody has answered it and the
    /// browser shows that it was asked before; the bank is asked for nothing.
    ///
    /// Whoever began knows the state as well, and would answer in the place of the person (RFC 9700 §4.7): the state alone
    /// shows nothing.
    func repeatQuestion(of attempt: EnrolmentAttempt, presenting question: Secret?, at bank: Bank) -> CallbackOutcome {
        guard case .asking(let token, let encrypted) = attempt.stage, let question,
            token.matches(Digest256(sha256: question.expose()))
        else { return .ended(attempt.end(.failure(.stateUsed), at: bank)) }
        guard environment.now() < attempt.expiresAt,
            let held = UnconfirmedEnrolment(decrypting: encrypted, of: attempt, by: encryptor)
        else {
            return .ended(attempt.end(.failure(.stateExpired), at: bank))
        }
        return .confirm(token: question, account: attempt.account, bank: bank, cards: held.cards)
    }
}
