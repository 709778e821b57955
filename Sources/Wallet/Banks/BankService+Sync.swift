import CodeFlow
package import Kernel
internal import Logging

/// What a bank's cards came to.
package struct SyncResult: Sendable, Equatable {
    /// All of the wallet, as the list shows them.
    package let cards: [WalletCard]
    package let added: Int
    package let removed: Int
}

/// Why a bank was not asked again, or in vain.
package enum SyncError: Error, Equatable, Sendable {
    /// `bank_not_enrolled`.
    case notEnrolled
    /// `bank_sign_in_needed`: the bank no longer takes our tokens.
    case signInNeeded
    /// `bank_unavailable`, 503: it does not answer, too many wait for it, or this process stops.
    case unavailable
    /// `bank_unavailable`, 502: it answers what can't be used.
    case unusable
}

extension BankService {
    /// An access token that is over so soon is not tried.
    private static let margin: Duration = .seconds(10)
    /// Rounds, where an enrolment or a refresh elsewhere came between.
    private static let rounds = 3
    /// Of one round: the cards in vain, new tokens, the cards.
    private static let requests = 3

    /// Asks the bank for the cards again; of many at once for one account and bank one asks, and all get its outcome.
    ///
    /// A caller waits for as long as the requests of one round may take; an exchange of tokens may go on after that.
    /// - Throws: ``SyncError``; ``StoreError``.
    package func sync(_ bank: Bank, of account: AccountID) async throws -> SyncResult {
        let deadline = environment.clock.now + bank.timeout * Self.requests
        return try await syncs.run(
            BankSyncs.Key(account: account, bankID: bank.id),
            until: deadline,
            on: environment.clock
        ) {
            for _ in 0..<Self.rounds {
                guard let found = try await wallet.link(bank.id, of: account), found.isOpen else {
                    throw SyncError.notEnrolled
                }
                guard let link = try await caughtUp(found, at: bank) else { continue }
                if let result = try await sync(link, at: bank) { return result }
            }
            throw SyncError.unavailable
        }
    }

    /// How many callers wait for a sync that is under way.
    package var waitingSyncs: Int { syncs.waitingCount }

    /// `nil` if the link changed meanwhile.
    private func sync(_ link: BankLink, at bank: Bank) async throws -> SyncResult? {
        if let access = access(link), let cards = try await listed(access, at: bank) {
            return try await keep(cards, over: link, at: bank)
        }
        guard let (renewed, access) = try await renew(link, at: bank) else { return nil }
        guard let cards = try await listed(access, at: bank) else { throw SyncError.signInNeeded }
        return try await keep(cards, over: renewed, at: bank)
    }

    /// The bank's cards; `nil` if it does not take the token.
    private func listed(_ access: Secret, at bank: Bank) async throws -> [BankCard]? {
        do throws(BankError) { return try await cards(with: access, at: bank) } catch {
            if case .refused = error { return nil }
            throw refusal(error, at: bank)
        }
    }

    /// The link with the tokens that an earlier sync got and could not write; `nil` if it changed meanwhile.
    private func caughtUp(_ link: BankLink, at bank: Bank) async throws -> BankLink? {
        guard let tokens = unwritten.tokens(for: link) else { return link }
        let renewed = link.renewed(tokens, at: bank)
        let isKept = try await write(renewed, over: link)
        unwritten.forget(link)
        return isKept ? renewed : nil
    }

    func write(_ link: BankLink, over earlier: BankLink) async throws -> Bool {
        try await unitOfWork.run { [wallet] transaction in
            try wallet.put(link, over: earlier.version, in: transaction)
        }
    }

    /// Gets new tokens, and keeps them before anything else is done: a refresh token may be good once.
    ///
    /// The link is written before the bank is asked as well: a store that takes no write now, on a full disk, must not cost
    /// the token. `nil` if the link changed meanwhile.
    private func renew(_ link: BankLink, at bank: Bank) async throws -> (BankLink, Secret)? {
        guard let sealed = link.tokens?.refresh else { throw SyncError.signInNeeded }
        guard let refresh = encryptor.decrypt(sealed, as: .bankRefreshToken(bank.id, of: link.account)) else {
            logger.error("a bank's tokens open with no sealing key", metadata: ["bank": "\(bank.id)"])
            throw SyncError.signInNeeded
        }
        // What begins while the process stops would be cut off before the bank's answer is kept.
        guard unwritten.hasRoom, !syncs.isClosed else { throw SyncError.unavailable }
        let asking = link.renewed(nil, at: bank)
        guard try await write(asking, over: link) else { return nil }
        let tokens: GrantedTokens
        do throws(BankError) { tokens = try await gateway.tokens(for: .refreshToken(refresh), at: bank) } catch {
            throw refusal(error, at: bank)
        }
        // RFC 6749 §6: without a new one the old one stays good.
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

    /// `nil` if the link changed meanwhile: an unlink that came between is not undone.
    private func keep(_ listed: [BankCard], over link: BankLink, at bank: Bank) async throws -> SyncResult? {
        let now = environment.now()
        return try await unitOfWork.run { transaction in
            guard try wallet.put(link.renewed(nil, at: bank), over: link.version, in: transaction) else { return nil }
            let merged = try merge(listed, of: bank, for: link.account, at: now, in: transaction)
            return SyncResult(
                cards: try wallet.cards(of: link.account, in: transaction),
                added: merged.added,
                removed: merged.removed
            )
        }
    }

    /// The access token, if it is worth a try.
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
