import CodeFlow
package import Kernel

extension BankService {
    /// Handles a person's answer to the question whether a bank's cards belong in that wallet.
    ///
    /// Without the question, a person who follows an attacker's link and signs in at the bank would add their cards to
    /// the attacker's wallet (RFC 9700 §4.7).
    /// - Throws: ``StoreError``.
    package func confirm(token: Secret, agrees: Bool, bank: (String) -> Bank?) async throws -> CallbackOutcome {
        guard let attempt = try await records.attempts.find(confirmation: Digest256(sha256: token.expose())),
            let bank = bank(attempt.bankID)
        else { return .refused(.unknown) }
        guard case .asking(_, let encrypted) = attempt.stage else {
            return .ended(attempt.end(.failure(.stateUsed), at: bank))
        }
        guard agrees else { return try await fail(attempt, .userCancelled, at: bank) }
        guard environment.now() < attempt.validity.expiresAt,
            let held = UnconfirmedEnrolment(decrypting: encrypted, of: attempt, by: encryptor)
        else {
            return try await fail(attempt, .stateExpired, at: bank)
        }
        return try await settle(held, attempt, at: bank)
    }

    /// Repeats the open question to a browser that was asked before, without a request to the bank.
    ///
    /// The state alone is not enough: the initiator of the enrolment knows it too, and could answer in the person's
    /// place (RFC 9700 §4.7).
    func repeatQuestion(of attempt: EnrolmentAttempt, presenting question: Secret?, at bank: Bank) -> CallbackOutcome {
        guard case .asking(let token, let encrypted) = attempt.stage, let question,
            token.matches(Digest256(sha256: question.expose()))
        else { return .ended(attempt.end(.failure(.stateUsed), at: bank)) }
        guard environment.now() < attempt.validity.expiresAt,
            let held = UnconfirmedEnrolment(decrypting: encrypted, of: attempt, by: encryptor)
        else {
            return .ended(attempt.end(.failure(.stateExpired), at: bank))
        }
        return .confirm(token: question, account: attempt.initiator.account, bank: bank, cards: held.cards)
    }
}
