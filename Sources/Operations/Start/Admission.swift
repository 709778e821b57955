package import Kernel
import Synchronization

/// Admits requests, each by the limits that apply to it.
extension OperationService {
    /// Admits a start from an address.
    ///
    /// A linked device can always start, even after other callers have used up its address's budget. A start with a
    /// device proof is looked up then, and admitted if the device is linked. The lookup has a budget of its own for
    /// unguessable cookies, earlier valid proofs, and keys with a valid signature. All other lookups count against the
    /// address's budget for unauthenticated callers.
    /// - Throws: ``LimitExceededError``; ``StoreError`` if a limit can't be counted.
    package func admitStart(from source: RequestSource, proofs: PresentedProofs) async throws -> StartAdmission {
        guard let wait = try await limits.take(.initiatePerAddress, source) else { return .free }
        let isLookedUp =
            limits.takeLinked(proofs) || takeSigned(proofs.signed)
            || (!proofs.isEmpty && limits.takeHere(.strangersPerAddress, source) == nil)
        guard isLookedUp else { throw refuse(.initiatePerAddress, wait) }
        return .ifLinked(else: wait)
    }

    /// Takes from the device's budget if its key signed.
    ///
    /// Other callers may know the device's name, and must not use it up.
    private func takeSigned(_ start: SignedStart?) -> Bool {
        guard let start, ports.accounts.subjects.recognises(start.signature, of: start.client) else { return false }
        return limits.takeOwn(start.mark)
    }

    /// Admits a start from a session.
    ///
    /// It counts against the address and the session, so that one session can't use up another's budget.
    /// - Throws: ``LimitExceededError``; ``StoreError`` if a limit can't be counted.
    func admitStart(from starter: Starter) async throws {
        guard let source = starter.source else { return }
        try await admit(.initiatePerAddress, from: source)
        if let wait = try await limits.take(.initiatePerAccount, starter.session) {
            throw refuse(.initiatePerAccount, wait)
        }
    }

    /// Admits a request for a scan from a landing page.
    ///
    /// Unknown links count against the address's budget for unauthenticated callers, so that they leave the budget for
    /// real links alone.
    /// - Throws: ``LimitExceededError``; ``StoreError`` if the limit can't be counted.
    package func admitOpening(ticket: String, from source: RequestSource) async throws {
        let isKnown = cache.card(ticket: Digest256(sha256: ticket)) != nil
        try await admit(isKnown ? .openingsPerAddress : .strangersPerAddress, from: source)
    }

    /// Admits a request about an operation.
    ///
    /// The rightful caller has a budget per operation, so that people behind one address don't use up each other's.
    /// Callers with a proof and callers with the id alone have separate budgets. Beyond them, a poll of a pending
    /// operation is told to slow down. Everything else counts against the address. So a final state is told however
    /// often a client asks, and guessed ids have a cost.
    ///
    /// It asks no database. So each daemon counts the polls that it sees by itself, and divides only the address's limit.
    ///
    /// `recognised`: Returns the caller with the digest of its source. It is called only where that matters.
    package func admit(
        _ publicID: Digest256,
        _ caller: Caller,
        isPoll: Bool,
        recognised: () -> Caller,
        from source: () -> RequestSource
    ) throws(LimitExceededError) {
        guard let limit = limits.rates?.logins.pollsPerOperation else { return }
        var admission = cache.takePoll(
            of: publicID,
            by: caller,
            limit: limit,
            at: environment.clock.now,
            engineTime: clock.now
        )
        if case .unrecognised = admission {
            admission = cache.takePoll(
                of: publicID,
                by: recognised(),
                limit: limit,
                at: environment.clock.now,
                engineTime: clock.now
            )
        }
        switch admission {
        case .admitted: return
        case .tooFast(let wait, isPending: true) where isPoll: throw refuse(.pollsPerOperation, wait)
        case .tooFast, .unauthenticated, .unrecognised:
            if let wait = limits.takeHere(.strangersPerAddress, source()) { throw refuse(.strangersPerAddress, wait) }
        }
    }

    /// Admits a request that counts only against its address.
    /// - Throws: ``LimitExceededError``; ``StoreError`` if the limit can't be counted.
    package func admit(_ limit: Limit, from source: RequestSource) async throws {
        if let wait = try await limits.take(limit, source) { throw refuse(limit, wait) }
    }

    /// Admits a request that counts only against its session, so that the account's other sessions keep their budgets.
    /// - Throws: ``LimitExceededError``; ``StoreError`` if the limit can't be counted.
    package func admit(_ limit: Limit, of session: SessionID) async throws {
        if let wait = try await limits.take(limit, session) { throw refuse(limit, wait) }
    }

    /// Takes one mail from the mailbox's budget, if a database has to be asked for that; returns whether there was one.
    ///
    /// Returns `nil` if this daemon counts alone: then ``admitProofMailHere(to:)`` does it when a mail is about to be
    /// sent.
    /// - Throws: ``StoreError`` if the limit can't be counted.
    package func admitCommonProofMail(to mailbox: RequestSource) async throws -> Bool? {
        guard limits.isCommon(.proofMailsPerMailbox) else { return nil }
        do { try await admit(.proofMailsPerMailbox, from: mailbox) } catch is LimitExceededError { return false }
        return true
    }

    /// Takes one mail from the mailbox's budget at this daemon; returns whether there was one.
    package func admitProofMailHere(to mailbox: RequestSource) -> Bool {
        guard let wait = limits.takeHere(.proofMailsPerMailbox, mailbox) else { return true }
        _ = refuse(.proofMailsPerMailbox, wait)
        return false
    }

    /// Returns the error of a limit, and counts the refusal for the metrics and the audit.
    func refuse(_ limit: Limit, _ wait: Duration) -> LimitExceededError {
        refusals.count(limit)
        return limits.exceeded(limit, retryAfter: wait)
    }
}

/// The condition under which a start is admitted.
package enum StartAdmission: Sendable, Equatable {
    case free
    /// The start is admitted if the device is linked to the account. Any other caller has to wait that long.
    case ifLinked(else: Duration)
}

extension OperationCache {
    /// The admission of a request by the operation's own budgets.
    enum PollAdmission {
        case admitted
        case tooFast(Duration, isPending: Bool)
        /// The id is not in the cache, or the caller is not the operation's rightful one.
        case unauthenticated
        /// The decision needs the digest of the caller's source.
        case unrecognised
    }

    /// Takes one request from the operation's own budget.
    ///
    /// A client without cookies polls with the id alone even after its collection. Other callers with the id are told
    /// to slow down for as long as the operation looks pending to them. So the limit reveals no more than the answers
    /// do.
    func takePoll(
        of publicID: Digest256,
        by caller: Caller,
        limit: RateLimit,
        at now: Uptime,
        engineTime: Instant
    ) -> PollAdmission {
        shard(publicID).entries.withLock { entries in
            guard let entry = entries[publicID] else { return .unauthenticated }
            let operation = entry.card.operation
            let isProven = Visibility.isProven(caller, operation)
            let isTold = Visibility.needsFingerprint(caller, operation)
            guard isProven || !isTold || caller.fingerprint != nil else { return .unrecognised }
            let isRightful = isProven || Visibility.accessLevel(of: caller, to: operation) == .rightful
            guard isRightful || isTold else { return .unauthenticated }
            let wait =
                isProven
                ? limit.take(&entry.provenUse, at: now)
                : limit.take(&entry.bareUse, at: now)
            guard let wait else { return .admitted }
            return .tooFast(
                wait,
                isPending: isRightful ? !operation.state.name.isDecided : engineTime < operation.validity.deadline
            )
        }
    }
}
