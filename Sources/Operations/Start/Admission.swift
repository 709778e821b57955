package import Kernel
import Synchronization

/// Who gets in: what each request takes of which limit.
extension OperationService {
    /// A start from that address.
    ///
    /// A linked device can always start, also beside somebody who uses up its address's budget: whoever
    /// brings a device's proof is looked up and let in if it is linked. What nobody can make up, or what has proved a
    /// device before, has a budget of lookups of its own, a device's key once its signature was seen to be good; those of
    /// all else are bounded by what the address has for strangers.
    package func admitStart(
        from source: RequestSource,
        proofs: PresentedProofs
    ) throws(LimitExceededError) -> StartAdmission {
        guard let wait = limits.take(.initiatePerAddress, source) else { return .free }
        let isLookedUp =
            limits.takeLinked(proofs) || takeSigned(proofs.signed)
            || (!proofs.isEmpty && limits.take(.strangersPerAddress, source) == nil)
        guard isLookedUp else { throw refuse(.initiatePerAddress, wait) }
        return .ifLinked(else: wait)
    }

    /// The name of a device is known to those beside it: its budget is taken by its key alone, or they could use it up.
    private func takeSigned(_ start: SignedStart?) -> Bool {
        guard let start, subjects.recognises(start.signature, of: start.client) else { return false }
        return limits.takeOwn(start.mark)
    }

    /// A start from a session: it counts against its address and the session itself, so that nobody who signs in elsewhere
    /// can use up what the account's other sessions have.
    func admitStart(from starter: Starter) throws(LimitExceededError) {
        guard let source = starter.source else { return }
        try take(.initiatePerAddress, source)
        if let wait = limits.take(.initiatePerAccount, starter.session) { throw refuse(.initiatePerAccount, wait) }
    }

    /// A scan asked for on a landing page from that address.
    ///
    /// Links that lead nowhere cost a stranger's budget, so that nobody uses up that of the people beside him.
    package func admitOpening(ticket: String, from source: RequestSource) throws(LimitExceededError) {
        let isKnown = cache.card(ticket: Digest256(sha256: ticket)) != nil
        try take(isKnown ? .openingsPerAddress : .strangersPerAddress, source)
    }

    /// A request about a login.
    ///
    /// Its rightful caller has a budget of his own, so that people behind one address don't use up each other's; whoever
    /// proves it has one apart from those that only know the id. Beyond it a poll of a pending login is told to slow
    /// down. All else counts against the address: an end that a client asks for again and again is always told, and
    /// ids that nobody was given are not guessed for free.
    ///
    /// `recognised`: the caller with the digest of where it comes from, which is made only where it tells something.
    package func admit(
        _ publicID: Digest256,
        _ caller: Caller,
        isPoll: Bool,
        recognised: () -> Caller,
        from source: () -> RequestSource
    ) throws(LimitExceededError) {
        guard let limit = limits.rates?.pollsPerOperation else { return }
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
        case .tooFast, .stranger, .unrecognised: try take(.strangersPerAddress, source())
        }
    }

    /// A request that counts against its address alone.
    package func admit(_ limit: Limit, from source: RequestSource) throws(LimitExceededError) {
        try take(limit, source)
    }

    /// A request of a session that counts against that session alone: others of the same account keep what they have.
    package func admit(_ limit: Limit, of session: SessionID) throws(LimitExceededError) {
        if let wait = limits.take(limit, session) { throw refuse(limit, wait) }
    }

    private func take(_ limit: Limit, _ source: RequestSource) throws(LimitExceededError) {
        if let wait = limits.take(limit, source) { throw refuse(limit, wait) }
    }

    /// The refusal, counted for the metrics and the audit.
    func refuse(_ limit: Limit, _ wait: Duration) -> LimitExceededError {
        refusals.count(limit)
        return limits.exceeded(limit, retryAfter: wait)
    }
}

/// On what terms a start is let in.
package enum StartAdmission: Sendable, Equatable {
    case free
    /// Only from a device that is linked to the account; any other is to come back after that time.
    case ifLinked(else: Duration)
}

extension OperationCache {
    /// What became of a request about an operation.
    enum PollAdmission {
        case admitted
        case tooFast(Duration, isPending: Bool)
        /// The id is not in the cache, or the operation is not the caller's.
        case stranger
        /// Only the digest of where the caller comes from tells what it is.
        case unrecognised
    }

    /// Takes one of the operation's own budget.
    ///
    /// What a client without cookies has collected is still polled by the bare id: whoever else does so is told to slow
    /// down exactly as long as the login looks pending to him, so that the limit tells no more than the answers do.
    func takePoll(
        of publicID: Digest256,
        by caller: Caller,
        limit: RateLimit,
        at now: Uptime,
        engineTime: Instant
    ) -> PollAdmission {
        shard(publicID).entries.withLock { entries in
            guard let index = entries.index(forKey: publicID) else { return .stranger }
            let operation = entries.values[index].card.operation
            let isProven = Visibility.isProven(caller, operation)
            let isTold = Visibility.needsFingerprint(caller, operation)
            guard isProven || !isTold || caller.fingerprint != nil else { return .unrecognised }
            let isRightful = isProven || Visibility.accessLevel(of: caller, to: operation) == .rightful
            guard isRightful || isTold else { return .stranger }
            let wait =
                isProven
                ? limit.take(&entries.values[index].provenUse, at: now)
                : limit.take(&entries.values[index].bareUse, at: now)
            guard let wait else { return .admitted }
            return .tooFast(
                wait,
                isPending: isRightful ? !operation.state.name.isDecided : engineTime < operation.deadline
            )
        }
    }
}
