import CodeFlow
package import Kernel

extension BankService {
    /// Handles a person's answer to the question whether a bank's cards belong in the wallet.
    ///
    /// The question protects a person who signs in at the bank through an attacker's link. Otherwise the attacker's
    /// wallet would get the person's cards (RFC 9700 §4.7).
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
