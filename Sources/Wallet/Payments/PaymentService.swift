package import Kernel

/// The use cases of payments: an app requests one, a person confirms it, and the holder of its card token carries it
/// out.
package struct PaymentService: Sendable {
    /// Returns a card of the account, or its default one; `nil` if it does not exist, or was removed.
    package typealias CardLookup = @Sendable (CardID?, AccountID, borrowing Transaction) throws -> WalletCard?

    private let environment: Environment
    private let unitOfWork: any UnitOfWork
    private let payments: any PaymentStore
    private let card: CardLookup
    private let isActive: SessionLiveness
    private let auditLog: any AuditLog
    private let tokens: CardTokenFactory
    package let policy: PaymentPolicy

    package init(
        environment: Environment,
        unitOfWork: any UnitOfWork,
        payments: any PaymentStore,
        card: @escaping CardLookup,
        isActive: @escaping SessionLiveness,
        auditLog: any AuditLog,
        tokens: CardTokenFactory,
        policy: PaymentPolicy
    ) {
        self.environment = environment
        self.unitOfWork = unitOfWork
        self.payments = payments
        self.card = card
        self.isActive = isActive
        self.auditLog = auditLog
        self.tokens = tokens
        self.policy = policy
    }

    // MARK: Beginning

    /// Stores a payment; a repeated request with the same idempotency key gets the same payment.
    ///
    /// - Throws: ``PaymentError``; ``StoreError``.
    package func initiate(_ draft: PaymentDraft) async throws -> InitiatedPayment {
        let id = environment.newID(PaymentID.self, of: draft.account)
        let nonce = Digest256(randomFrom: environment)
        return try await unitOfWork.run { transaction in
            let now = environment.now()
            guard try isActive(draft.session, draft.account, transaction) else {
                throw PaymentError.sessionOver
            }
            let idempotency = draft.idempotency
            if let idempotency,
                let known = try payments.find(key: idempotency.key, of: draft.account, in: transaction)
            {
                guard known.idempotency == idempotency else { throw PaymentError.idempotencyMismatch }
                return InitiatedPayment(payment: try settled(known, at: now, in: transaction), isNew: false)
            }
            let card = try payable(draft, at: now, in: transaction)
            let payment = payment(for: draft, id: id, nonce: nonce, card: card, at: now)
            try payments.insert(payment, in: transaction)
            try record(.paymentInitiated, payment, in: transaction)
            return InitiatedPayment(payment: payment, isNew: true)
        }
    }

    // MARK: Looking

    /// Returns a payment as of now.
    ///
    /// - Throws: ``PaymentError/notFound``, also for a payment of another account; ``StoreError``.
    package func find(_ id: PaymentID, of account: AccountID) async throws -> Payment {
        guard let payment = try await payments.find(id), payment.payer.account == account else {
            throw PaymentError.notFound
        }
        let now = environment.now()
        let seen = PaymentMachine.seen(payment, at: now)
        guard seen != payment else { return payment }
        do {
            return try await unitOfWork.run { transaction in
                try settled(held(id, of: account, in: transaction), at: now, in: transaction)
            }
        } catch is StoreError {
            // The reader gets the payment as expired even if that can't be written, for example on a full disk.
            return seen
        }
    }

    /// Returns the account's payments as of now, the newest first: those before `before`, or all if it is `nil`.
    ///
    /// The limit is between one and ``PaymentPolicy/mostListed``.
    package func list(of account: AccountID, before: PaymentID?, limit: Int) async throws -> [Payment] {
        let limit = min(max(limit, 1), PaymentPolicy.mostListed)
        let now = environment.now()
        let listed = try await payments.list(of: account, before: before, limit: limit)
        let seen = listed.map { PaymentMachine.seen($0, at: now) }
        guard seen != listed else { return listed }
        do {
            return try await unitOfWork.run { transaction in
                var settled = listed
                for (index, payment) in listed.enumerated() where seen[index] != payment {
                    guard let held = try payments.find(payment.id, in: transaction) else { continue }
                    settled[index] = try self.settled(held, at: now, in: transaction)
                }
                return settled
            }
        } catch is StoreError {
            return seen
        }
    }

    /// Returns the token of a confirmed payment while it can be spent, for the session that confirmed.
    package func cardToken(of payment: Payment, for session: SessionID) -> Secret? {
        guard case .confirmed(let confirmation) = payment.state, confirmation.session == session,
            confirmation.isOpen(at: environment.now())
        else { return nil }
        let token = tokens.token(of: payment.id)
        // If the key was replaced since, the derived token is not the payment's.
        return tokens.digest(token) == confirmation.tokenDigest ? token : nil
    }

    // MARK: Ending

    /// Confirms a payment: of concurrent calls, one succeeds.
    ///
    /// The card must exist, the account and `session` must be active, and `proof` must be valid, all in one unit of
    /// work. The proof is checked last, so that an ended payment does not use up a challenge. `proof` uses its
    /// challenge up in the given transaction, and returns whether it is valid. Failed proofs are counted, and too many
    /// cancel the payment (``PaymentMachine/mostWrongProofs``). If `proof` throws, everything is rolled back and
    /// nothing is counted, so it must not throw for an invalid proof. `proof` may be called twice (``UnitOfWork``).
    /// - Throws: ``PaymentError``; ``StoreError``; the errors of `proof`.
    package func confirm(
        _ id: PaymentID,
        of account: AccountID,
        session: SessionID,
        by method: PaymentMethod,
        proof: @escaping @Sendable (borrowing Transaction) throws -> Bool
    ) async throws -> ConfirmedPayment {
        let token = tokens.token(of: id)
        let outcome: Outcome = try await unitOfWork.run { transaction in
            let now = environment.now()
            let payment = try settled(held(id, of: account, in: transaction), at: now, in: transaction)
            guard payment.state != .expired else { return .expired }
            let confirmation = Confirmation(
                at: now,
                session: session,
                method: method,
                tokenDigest: tokens.digest(token),
                tokenExpiresAt: now + policy.cardTokenLifetime
            )
            let next = try change(payment, by: .confirmRequested(confirmation), at: now)
            guard try isActive(session, account, transaction) else { throw PaymentError.sessionOver }
            guard try self.card(payment.contents.card, account, transaction) != nil else {
                throw PaymentError.cardNotFound
            }
            guard try proof(transaction) else {
                let counted = try change(payment, by: .proofFailed, at: now)
                try write(counted, over: payment, .paymentRefused, by: method, in: transaction)
                return .wrongProof
            }
            try write(next, over: payment, .paymentConfirmed, by: method, in: transaction)
            return .confirmed(next, confirmation)
        }
        switch outcome {
        case .expired: throw PaymentError.over(.expired)
        case .wrongProof: throw PaymentError.wrongProof
        case .confirmed(let payment, let confirmation):
            return ConfirmedPayment(
                payment: payment,
                confirmation: confirmation,
                cardToken: token,
                cardTokenExpiresIn: policy.cardTokenLifetime
            )
        }
    }

    /// The outcome of a confirmation, which is returned because a thrown error would roll the changes back.
    private enum Outcome {
        case expired
        case wrongProof
        case confirmed(Payment, Confirmation)
    }

    /// Cancels a payment; a repetition has no effect.
    ///
    /// - Throws: ``PaymentError/over(_:)`` if the payment is confirmed or has expired; ``StoreError``.
    @discardableResult
    package func cancel(_ id: PaymentID, of account: AccountID) async throws -> Payment {
        let payment = try await unitOfWork.run { transaction in
            let now = environment.now()
            let payment = try settled(held(id, of: account, in: transaction), at: now, in: transaction)
            guard payment.state.status != .cancelled, payment.state != .expired else { return payment }
            let next = try change(payment, by: .cancelRequested, at: now)
            try write(next, over: payment, .paymentCancelled, in: transaction)
            return next
        }
        guard payment.state != .expired else { throw PaymentError.over(.expired) }
        return payment
    }

    // MARK: Carrying out

    /// Spends a card token: of concurrent calls, one gets the card.
    ///
    /// Returns `nil` if the token is unknown, spent or expired, the card was removed, or the session or account is no
    /// longer active. Signing out everywhere, or removing a card, thus stops payments that are not carried out yet.
    /// - Throws: ``StoreError``.
    package func redeem(cardToken: Secret) async throws -> RedeemedPayment? {
        guard tokens.isForm(cardToken) else { return nil }
        let digest = tokens.digest(cardToken)
        // An invented token is refused after a read, which does not occupy the writer.
        guard try await unitOfWork.read({ try payments.find(cardToken: digest, in: $0) }) != nil else { return nil }
        return try await unitOfWork.run { transaction in
            guard let payment = try payments.find(cardToken: digest, in: transaction),
                let next = try? PaymentMachine.apply(.redeemRequested, to: payment, now: environment.now()),
                case .confirmed(let confirmation) = next.state,
                try isActive(confirmation.session, payment.payer.account, transaction),
                let card = try self.card(payment.contents.card, payment.payer.account, transaction),
                try payments.update(next, over: payment.version, in: transaction)
            else { return nil }
            try record(.cardTokenRedeemed, next, in: transaction)
            return RedeemedPayment(payment: next, confirmation: confirmation, cardReference: card.reference)
        }
    }

    // MARK: Parts

    /// Returns the card of a draft that is within every limit.
    private func payable(
        _ draft: PaymentDraft,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> WalletCard {
        guard policy.allows(draft.money) else { throw PaymentError.tooLarge }
        guard let card = try self.card(draft.card, draft.account, transaction) else {
            throw PaymentError.cardNotFound
        }
        let load = try payments.load(of: draft.account, at: now, since: now - PaymentPolicy.day, in: transaction)
        guard load.recent < policy.perDay else { throw PaymentError.tooManyToday }
        guard load.open < policy.openPerAccount else {
            throw PaymentError.tooManyOpen(retryAfter: (load.firstExpiry ?? now) - now)
        }
        return card
    }

    private func payment(
        for draft: PaymentDraft,
        id: PaymentID,
        nonce: Digest256,
        card: WalletCard,
        at now: Instant
    ) -> Payment {
        Payment(
            id: id,
            payer: Payment.Payer(account: draft.account, session: draft.session, client: draft.client),
            contents: Payment.Contents(
                card: card.id,
                label: card.label,
                money: draft.money,
                merchant: draft.merchant,
                nonce: nonce
            ),
            validity: ValidityPeriod(createdAt: now, expiresAt: now + policy.lifetime),
            idempotency: draft.idempotency
        )
    }

    /// Returns a payment of the account; another account's is not found.
    private func held(_ id: PaymentID, of account: AccountID, in transaction: borrowing Transaction) throws -> Payment {
        guard let payment = try payments.find(id, in: transaction), payment.payer.account == account else {
            throw PaymentError.notFound
        }
        return payment
    }

    /// Returns the payment as of `now`, after writing an expiry.
    ///
    /// The expiry is final: a wall clock that is set back must not reopen the payment.
    private func settled(_ payment: Payment, at now: Instant, in transaction: borrowing Transaction) throws -> Payment {
        let seen = PaymentMachine.seen(payment, at: now)
        guard seen != payment else { return payment }
        try write(seen, over: payment, .paymentExpired, in: transaction)
        return seen
    }

    private func change(_ payment: Payment, by event: PaymentEvent, at now: Instant) throws(PaymentError) -> Payment {
        do { return try PaymentMachine.apply(event, to: payment, now: now) } catch {
            throw .over(PaymentMachine.seen(payment, at: now).state.status)
        }
    }

    private func write(
        _ next: Payment,
        over payment: Payment,
        _ event: WalletAuditEvent,
        by method: PaymentMethod? = nil,
        in transaction: borrowing Transaction
    ) throws {
        guard try payments.update(next, over: payment.version, in: transaction) else {
            let winner = try held(payment.id, of: payment.payer.account, in: transaction)
            throw PaymentError.over(winner.state.status)
        }
        try record(event, next, by: method, in: transaction)
    }

    /// Appends an audit record, without any text of an app.
    private func record(
        _ event: WalletAuditEvent,
        _ payment: Payment,
        by method: PaymentMethod? = nil,
        in transaction: borrowing Transaction
    ) throws {
        let words = [payment.id.description, payment.contents.money.text, method?.rawValue].compactMap(\.self)
        let detail = words.joined(separator: " ")
        try auditLog.append(AuditRecord(event, of: payment.payer.account, detail: detail), in: transaction)
    }
}
