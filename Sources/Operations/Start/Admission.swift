package import Kernel
import Synchronization

/// The admission of requests: what each takes of which limit.
extension OperationService {
    /// Admits a start from that address.
    ///
    /// A linked device can always start, even after another caller has used up its address's budget. A start with a
    /// device's proof is looked up, and admitted if the device is linked. Unguessable cookies, proofs that were valid
    /// before, and keys with a valid signature have a budget of lookups of their own. All other lookups count against
    /// the address's budget for unauthenticated callers.
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

    /// Takes from a device's budget for its key alone: others may know the device's name, and could use its budget up.
    private func takeSigned(_ start: SignedStart?) -> Bool {
        guard let start, ports.accounts.subjects.recognises(start.signature, of: start.client) else { return false }
        return limits.takeOwn(start.mark)
    }

    /// Admits a start from a session.
    ///
    /// It counts against its address and the session itself, so that one session can't use up the budget of another.
    func admitStart(from starter: Starter) throws(LimitExceededError) {
        guard let source = starter.source else { return }
        try take(.initiatePerAddress, source)
        if let wait = limits.take(.initiatePerAccount, starter.session) { throw refuse(.initiatePerAccount, wait) }
    }

    /// Admits a scan asked for on a landing page from that address.
    ///
    /// Unknown links count against the budget for unauthenticated callers, so that they use up no neighbour's budget.
    package func admitOpening(ticket: String, from source: RequestSource) throws(LimitExceededError) {
        let isKnown = cache.card(ticket: Digest256(sha256: ticket)) != nil
        try take(isKnown ? .openingsPerAddress : .strangersPerAddress, source)
    }

    /// Admits a request about a login.
    ///
    /// Its rightful caller has a budget of its own, so that people behind one address don't use up each other's. A caller with
    /// proof has a separate budget from callers that only know the id. Beyond it a poll of a pending login is told to slow
    /// down. All else counts against the address: a final state is told however often a client asks, and guesses of ids
    /// are not free.
    ///
    /// `recognised`: Returns the caller with the digest of its source; called only where that matters.
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
        case .tooFast, .unauthenticated, .unrecognised: try take(.strangersPerAddress, source())
        }
    }

    /// Admits a request that counts against its address alone.
    package func admit(_ limit: Limit, from source: RequestSource) throws(LimitExceededError) {
        try take(limit, source)
    }

    /// Admits a request that counts against its session alone: other sessions of the account keep their budget.
    package func admit(_ limit: Limit, of session: SessionID) throws(LimitExceededError) {
        if let wait = limits.take(limit, session) { throw refuse(limit, wait) }
    }

    private func take(_ limit: Limit, _ source: RequestSource) throws(LimitExceededError) {
        if let wait = limits.take(limit, source) { throw refuse(limit, wait) }
    }

    /// Returns the error of a limit, counted for the metrics and the audit.
    func refuse(_ limit: Limit, _ wait: Duration) -> LimitExceededError {
        refusals.count(limit)
        return limits.exceeded(limit, retryAfter: wait)
    }
}

/// The condition on which a start is admitted.
package enum StartAdmission: Sendable, Equatable {
    case free
    /// Only from a device that is linked to the account; any other has to return after that time.
    case ifLinked(else: Duration)
}

extension OperationCache {
    /// The admission of a request about an operation.
    enum PollAdmission {
        case admitted
        case tooFast(Duration, isPending: Bool)
        /// The id is not in the cache, or the operation is not the caller's.
        case unauthenticated
        /// The digest of the caller's source is needed to judge it.
        case unrecognised
    }

    /// Takes one request of the operation's own budget.
    ///
    /// A client without cookies polls by the bare id even after its collection. Other callers that do so are told to
    /// slow down exactly as long as the login looks pending to them. So the limit tells no more than the answers do.
    func takePoll(
        of publicID: Digest256,
        by caller: Caller,
        limit: RateLimit,
        at now: Uptime,
        engineTime: Instant
    ) -> PollAdmission {
        shard(publicID).entries.withLock { entries in
            guard let index = entries.index(forKey: publicID) else { return .unauthenticated }
            let operation = entries.values[index].card.operation
            let isProven = Visibility.isProven(caller, operation)
            let isTold = Visibility.needsFingerprint(caller, operation)
            guard isProven || !isTold || caller.fingerprint != nil else { return .unrecognised }
            let isRightful = isProven || Visibility.accessLevel(of: caller, to: operation) == .rightful
            guard isRightful || isTold else { return .unauthenticated }
            let wait =
                isProven
                ? limit.take(&entries.values[index].provenUse, at: now)
                : limit.take(&entries.values[index].bareUse, at: now)
            guard let wait else { return .admitted }
            return .tooFast(
                wait,
                isPending: isRightful ? !operation.state.name.isDecided : engineTime < operation.validity.deadline
            )
        }
    }
}
