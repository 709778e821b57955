package import CodeFlow
package import Kernel

extension BankService {
    /// Handles the callback of a bank: redeems the code, asks for the cards, and stores them.
    ///
    /// - Parameters:
    ///   - callback: The parameters of the callback.
    ///   - bankID: The bank of the callback's address.
    ///   - bank: Returns the configured bank of an id.
    ///   - browser: The cookie of the browser.
    ///   - question: The cookie of the confirmation that this browser was asked for before.
    ///   - webAccount: The account of the browser's web session, if any.
    /// - Returns: The outcome for the page or the app.
    /// - Throws: ``StoreError``.
    package func handleCallback(
        _ callback: AuthorizationCallback,
        bankID: String,
        bank: (String) -> Bank?,
        browser: Secret?,
        question: Secret?,
        webAccount: AccountID?
    ) async throws -> CallbackOutcome {
        guard let state = callback.state,
            let attempt = try await records.attempts.find(state: Digest256(sha256: state)),
            let bank = bank(attempt.bankID)
        else { return .refused(.unknown) }
        let answer: AuthorizationCallback.Answer
        do throws(CallbackError) {
            // RFC 9700 §4.4.2.2: each bank has its own callback URI, in addition to the issuer check of RFC 9207.
            guard attempt.bankID == bankID else { throw .otherBank }
            if let redirected = attempt.redirect.browser {
                try callback.check(browser: browser, redirected: redirected)
            }
            if let webAccount, webAccount != attempt.initiator.account { throw .otherAccount }
            try callback.checkIssuer(of: bank.server)
            answer = try callback.answer()
        } catch {
            if error != .malformed { try await invalidate(attempt, error) }
            return .refused(error)
        }
        guard attempt.stage == .pending else { return repeatQuestion(of: attempt, presenting: question, at: bank) }
        guard environment.now() < attempt.validity.expiresAt else {
            return .ended(attempt.end(.failure(.stateExpired), at: bank))
        }
        switch answer {
        case .error(let word): return try await fail(attempt, BankLinkError(bankError: word), at: bank)
        case .code(let code): return try await redeem(code, attempt, at: bank)
        }
    }

    /// Ends an attempt without cards.
    func fail(_ attempt: EnrolmentAttempt, _ fault: BankLinkError, at bank: Bank) async throws -> CallbackOutcome {
        let isFirst = try await end(attempt, because: fault.rawValue)
        return .ended(attempt.end(.failure(isFirst ? fault : .stateUsed), at: bank))
    }

    /// Stores the tokens and cards.
    ///
    /// The session and its account must still be active. Of concurrent calls, one finds the attempt unchanged and
    /// stores.
    func settle(
        _ held: UnconfirmedEnrolment,
        _ attempt: EnrolmentAttempt,
        at bank: Bank
    ) async throws -> CallbackOutcome {
        let (account, session) = (attempt.initiator.account, attempt.initiator.session)
        let tokens = try held.tokens(of: account, at: bank.id, by: encryptor)
        let now = environment.now()
        let outcome: EnrolmentEnd.Outcome = try await records.unitOfWork.run { transaction in
            guard try isActive(session, account, transaction) else {
                return .failure(try end(attempt, .accountUnavailable, in: transaction))
            }
            guard try records.attempts.update(attempt.ended(), over: attempt.stage.name, in: transaction) else {
                return .failure(.stateUsed)
            }
            try link(account, to: bank, with: tokens, at: now, in: transaction)
            let merged = try merge(held.cards, of: bank, for: account, at: now, in: transaction)
            let count = merged.count(at: bank.id)
            try records.auditLog.append(
                AuditRecord(WalletAuditEvent.bankEnrolled, of: account, detail: "\(bank.id), cards: \(count)"),
                in: transaction
            )
            return .success(cardCount: count)
        }
        return .ended(attempt.end(outcome, at: bank))
    }

    /// Merges a bank's list of cards into the wallet.
    func merge(
        _ listed: [BankCard],
        of bank: Bank,
        for account: AccountID,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> CardSet {
        var cards = CardSet(try records.wallet.heldCards(of: account, in: transaction))
        cards.merge(listed, of: bank.id, for: account, at: now) {
            environment.newID(of: account)
        }
        try cards.write(to: records.wallet, in: transaction)
        try records.wallet.forgetRemoved(bank.id, of: account, keeping: Self.removedCardsPerBank, in: transaction)
        return cards
    }

    private func redeem(_ code: Secret, _ attempt: EnrolmentAttempt, at bank: Bank) async throws -> CallbackOutcome {
        if let fault = try await take(attempt) { return .ended(attempt.end(.failure(fault), at: bank)) }
        let arrived = attempt.at(.arrived)
        guard let verifier = encryptor.decrypt(attempt.redirect.verifier, as: .bankVerifier(of: attempt.state)) else {
            // The encryption key was replaced meanwhile.
            return try await fail(arrived, .stateExpired, at: bank)
        }
        let held: UnconfirmedEnrolment
        do throws(BankError) {
            let tokens = try await gateway.tokens(
                for: .code(code, redirectURI: attempt.redirect.redirectURI, verifier: verifier),
                at: bank
            )
            let asked = environment.now()
            held = UnconfirmedEnrolment(tokens, try await cards(with: tokens.accessToken, at: bank), at: asked)
        } catch {
            warn(bank, error)
            return try await fail(arrived, BankLinkError(error), at: bank)
        }
        guard attempt.needsConfirmation else { return try await settle(held, arrived, at: bank) }
        return try await ask(held, arrived, at: bank)
    }

    /// Uses the state up; of concurrent callbacks, one gets `nil`, and the others get an error.
    ///
    /// This happens before the request to the bank, so that no second callback redeems a code (RFC 9700 §4.2.4).
    private func take(_ attempt: EnrolmentAttempt) async throws -> BankLinkError? {
        try await records.unitOfWork.run { transaction in
            guard try isActive(attempt.initiator.session, attempt.initiator.account, transaction) else {
                return try end(attempt, .accountUnavailable, in: transaction)
            }
            return try records.attempts.update(attempt.at(.arrived), over: .pending, in: transaction) ? nil : .stateUsed
        }
    }

    /// Stores the tokens and cards until the person has confirmed the enrolment.
    private func ask(
        _ held: UnconfirmedEnrolment,
        _ attempt: EnrolmentAttempt,
        at bank: Bank
    ) async throws -> CallbackOutcome {
        let token = environment.newSecret()
        var asking = attempt.at(
            .asking(token: Digest256(sha256: token.expose()), held: try held.encrypted(for: attempt, by: encryptor))
        )
        asking.validity.expiresAt = environment.now() + Self.attemptLifetime
        let question = asking
        let isFirst = try await records.unitOfWork.run { [records] transaction in
            try records.attempts.update(question, over: .arrived, in: transaction)
        }
        guard isFirst else { return .ended(attempt.end(.failure(.stateUsed), at: bank)) }
        return .confirm(token: token, account: attempt.initiator.account, bank: bank, cards: held.cards)
    }

    private func link(
        _ account: AccountID,
        to bank: Bank,
        with tokens: BankLink.EncryptedTokens,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws {
        let earlier = try records.wallet.link(bank.id, of: account, in: transaction)
        let link = BankLink(
            account: account,
            bankID: bank.id,
            name: bank.name,
            logoURL: bank.logoURL,
            tokens: tokens,
            enrolledAt: now,
            version: (earlier?.version ?? 0) + 1
        )
        guard try records.wallet.put(link, over: earlier?.version, in: transaction) else {
            throw StoreError.conflict(cause: "a link changed within one unit")
        }
    }

    /// Invalidates a state that was presented wrongly, because an attacker may have it.
    private func invalidate(_ attempt: EnrolmentAttempt, _ refusal: CallbackError) async throws {
        guard attempt.stage == .pending else { return }
        _ = try await end(attempt, because: refusal.rawValue)
    }

    private func end(_ attempt: EnrolmentAttempt, because reason: String) async throws -> Bool {
        try await records.unitOfWork.run { transaction in
            guard try records.attempts.update(attempt.ended(), over: attempt.stage.name, in: transaction) else {
                return false
            }
            try refused(attempt, reason, in: transaction)
            return true
        }
    }

    private func end(
        _ attempt: EnrolmentAttempt,
        _ fault: BankLinkError,
        in transaction: borrowing Transaction
    ) throws -> BankLinkError {
        guard try records.attempts.update(attempt.ended(), over: attempt.stage.name, in: transaction) else {
            return .stateUsed
        }
        try refused(attempt, fault.rawValue, in: transaction)
        return fault
    }

    private func refused(_ attempt: EnrolmentAttempt, _ reason: String, in transaction: borrowing Transaction) throws {
        try records.auditLog.append(
            AuditRecord(
                WalletAuditEvent.enrolmentRefused,
                of: attempt.initiator.account,
                detail: "\(attempt.bankID): \(reason)"
            ),
            in: transaction
        )
    }
}
