import CodeFlow
package import Kernel
internal import Logging

/// The result of a sync.
package struct SyncResult: Sendable, Equatable {
    /// All cards of the wallet, in the order of ``WalletContents/cards``.
    package let cards: [WalletCard]
    package let added: Int
    package let removed: Int
}

/// The reason why a sync failed.
package enum SyncError: Error, Equatable, Sendable {
    /// The bank is not enrolled (`bank_not_enrolled`).
    case notEnrolled
    /// The bank no longer accepts the tokens (`bank_sign_in_needed`).
    case signInNeeded
    /// The bank does not answer, too many callers wait, or this process stops (`bank_unavailable`, 503).
    case unavailable
    /// The bank's answer can't be used (`bank_unavailable`, 502).
    case unusable
}

extension BankService {
    /// The least remaining lifetime with which an access token is still used.
    private static let margin: Duration = .seconds(10)
    /// The most rounds: a round is repeated if a concurrent enrolment or refresh changes the link.
    private static let rounds = 3
    /// The most requests of one round: the cards, new tokens, and the cards again.
    private static let requests = 3

    /// Fetches the bank's cards again; concurrent callers of one account and bank share one sync.
    ///
    /// A caller waits at most as long as the requests of one round may take. An exchange of tokens may continue after
    /// that.
    /// - Throws: ``SyncError``; ``StoreError``.
    package func sync(_ bank: Bank, of account: AccountID) async throws -> SyncResult {
        let deadline = environment.clock.now + bank.timeout * Self.requests
        return try await syncs.run(
            BankSyncs.Key(account: account, bankID: bank.id),
            until: deadline,
            on: environment.clock
        ) {
            for _ in 0..<Self.rounds {
                guard let found = try await records.wallet.link(bank.id, of: account), found.isOpen else {
                    unwritten.forget(bank.id, of: account)
                    throw SyncError.notEnrolled
                }
                guard let link = try await caughtUp(found, at: bank) else { continue }
                if let result = try await sync(link, at: bank) { return result }
            }
            throw SyncError.unavailable
        }
    }

    /// The number of callers that wait for a running sync.
    package var waitingSyncs: Int { syncs.waitingCount }

    /// Runs one round; `nil` if the link changed meanwhile.
    private func sync(_ link: BankLink, at bank: Bank) async throws -> SyncResult? {
        if let access = access(link), let cards = try await listed(access, at: bank) {
            return try await keep(cards, over: link, at: bank)
        }
        guard let (renewed, access) = try await renew(link, at: bank) else { return nil }
        guard let cards = try await listed(access, at: bank) else { throw SyncError.signInNeeded }
        return try await keep(cards, over: renewed, at: bank)
    }

    /// Returns the bank's cards; `nil` if it does not accept the token.
    private func listed(_ access: Secret, at bank: Bank) async throws -> [BankCard]? {
        do throws(BankError) { return try await cards(with: access, at: bank) } catch {
            if case .refused = error { return nil }
            throw refusal(error, at: bank)
        }
    }

    /// Returns the link with the tokens that an earlier sync could not write; `nil` if it changed meanwhile.
    ///
    /// Another daemon's sync of the cards changes the link too. Then the tokens are held for the next round.
    private func caughtUp(_ link: BankLink, at bank: Bank) async throws -> BankLink? {
        guard let tokens = unwritten.tokens(for: link) else { return link }
        let renewed = link.renewed(tokens, at: bank)
        guard try await write(renewed, over: link) else { return nil }
        unwritten.forget(link)
        return renewed
    }

    func write(_ link: BankLink, over earlier: BankLink) async throws -> Bool {
        try await records.unitOfWork.run { [records] transaction in
            try records.wallet.put(link, over: earlier.version, in: transaction)
        }
    }

    /// Gets new tokens and stores them at once, because a refresh token may be valid once.
    ///
    /// A lease is written before the request: so no refresh token is used up while the database can't be written, and
    /// no other daemon uses the same one. Returns `nil` if the link changed meanwhile.
    private func renew(_ link: BankLink, at bank: Bank) async throws -> (BankLink, Secret)? {
        guard let encrypted = link.tokens?.refresh else { throw SyncError.signInNeeded }
        guard let refresh = encryptor.decrypt(encrypted, as: .bankRefreshToken(bank.id, of: link.account)) else {
            logger.error(
                "no sealing key decrypts a bank's tokens: give the old key in secrets.earlierSealingKeys",
                metadata: ["bank": "\(bank.id)"]
            )
            throw SyncError.signInNeeded
        }
        if try await isExchangedElsewhere(link, at: bank) { return nil }
        // An exchange that begins while the process stops would be cut off before its answer is stored.
        guard unwritten.isBelowLimit, !syncs.isClosed else { throw SyncError.unavailable }
        guard let asking = try await leased(link, at: bank) else { return nil }
        let tokens: GrantedTokens
        do throws(BankError) { tokens = try await gateway.tokens(for: .refreshToken(refresh), at: bank) } catch {
            await release(asking)
            throw refusal(error, at: bank)
        }
        // RFC 6749 §6: without a new refresh token the previous one stays valid.
        let kept = GrantedTokens(
            accessToken: tokens.accessToken,
            refreshToken: tokens.refreshToken ?? refresh,
            expiresIn: tokens.expiresIn
        )
        let new = try UnconfirmedEnrolment(kept, [], at: environment.now()).tokens(
            of: link.account,
            at: bank.id,
            by: encryptor
        )
        unwritten.hold(new, for: asking)
        return try await caughtUp(asking, at: bank).map { ($0, tokens.accessToken) }
    }

    /// Stores the cards; `nil` if the link changed meanwhile, so that a concurrent unlink is not undone.
    private func keep(_ listed: [BankCard], over link: BankLink, at bank: Bank) async throws -> SyncResult? {
        let now = environment.now()
        return try await records.unitOfWork.run { transaction in
            guard try records.wallet.put(link.renewed(nil, at: bank), over: link.version, in: transaction) else {
                return nil
            }
            let merged = try merge(listed, of: bank, for: link.account, at: now, in: transaction)
            return SyncResult(
                cards: try records.wallet.cards(of: link.account, in: transaction),
                added: merged.added,
                removed: merged.removed
            )
        }
    }

    /// Returns the access token, if it is still valid.
    private func access(_ link: BankLink) -> Secret? {
        guard let tokens = link.tokens else { return nil }
        if let expiresAt = tokens.expiresAt, expiresAt <= environment.now() + Self.margin { return nil }
        return encryptor.decrypt(tokens.access, as: .bankAccessToken(link.bankID, of: link.account))
    }

    private func refusal(_ failure: BankError, at bank: Bank) -> SyncError {
        warn(bank, failure)
        switch failure {
        case .unavailable: return .unavailable
        case .unusable: return .unusable
        case .refused: return .signInNeeded
        }
    }
}
