package import Kernel

extension OperationService {
    package typealias BeforeGrant = @Sendable (borrowing Transaction) throws -> Void

    /// Returns the answer to the caller from the cache alone, without the database or a provider.
    ///
    /// `nil` when the operation is not in the cache, or has to be redeemed or handed out again. Then
    /// ``poll(_:_:beforeGrant:)`` answers.
    package func peek(_ publicID: Digest256, _ caller: Caller) -> PollView? {
        attend(publicID).flatMap { peek($0, caller) }
    }

    /// Returns the cached operation for a caller that reads it repeatedly; `nil` if it is not in the cache.
    ///
    /// The read counts as a poll, so that the scan is checked often.
    @discardableResult
    package func attend(_ publicID: Digest256) -> CachedOperation? {
        let now = environment.clock.now
        guard let (card, lastPoll) = cache.cardForPoll(publicID, at: now) else { return nil }
        // A client that has just begun to poll must not wait for the long interval of unpolled operations.
        if lastPoll.map({ now - $0 >= watch.schedule.cadence.hotFor }) ?? true, isCheckedWhilePolled(card.operation) {
            watch.schedule.expedite(publicID, to: now + watch.schedule.cadence.hot * environment.unitInterval())
        }
        if isDoubtful(card) { watch.schedule.expedite(publicID, to: now) }
        tellOwner(card.operation, lastPoll: lastPoll, at: now)
        return card
    }

    /// Whether the next check comes earlier for a client that polls: that of a scan, and the next reading of an operation
    /// that another daemon follows.
    private func isCheckedWhilePolled(_ operation: Operation) -> Bool {
        if case .pending = operation.state { return true }
        return ports.nodes.isShared && !operation.state.isTerminal && !watch.ownership.includes(operation)
    }

    /// Returns the answer to the caller, and redeems an approved operation for its rightful caller.
    ///
    /// `beforeGrant`: Called right before tokens are handed out, once in each run of a unit of work: the redemption's, or
    /// one of its own if the tokens were handed out before. An error that it throws ends the poll, and nothing is handed
    /// out. `nil` for a caller that has nothing to use up.
    ///
    /// - Returns: `nil` for an unknown id.
    package func poll(
        _ publicID: Digest256,
        _ caller: Caller,
        beforeGrant: BeforeGrant? = nil
    ) async throws -> PollView? {
        try await poll(publicID, as: caller) { (caller, beforeGrant) }
    }

    /// Returns the answer to a request of which only the proofs needed for a pending login were read so far.
    ///
    /// `whole`: Returns the caller with all proofs of the request, and the closure to call before the grant. It is
    /// called only if the cache is not enough.
    ///
    /// `loaded`: What ``load(_:)-(UUIDBits)`` has returned for this request, so that it is not read again.
    package func poll(
        _ publicID: Digest256,
        as caller: Caller,
        after loaded: LoadedOperation? = nil,
        whole: () throws -> (Caller, BeforeGrant?)
    ) async throws -> PollView? {
        let card = attend(publicID)
        if let card, !isDoubtful(card), let view = peek(card, caller) { return view }
        let (known, beforeGrant) = try whole()
        if let card, !isDoubtful(card), Visibility.needsFingerprint(caller, card.operation),
            let view = peek(card, known)
        {
            return view
        }
        let found = if card == nil, let loaded { loaded.operation } else { try await self.known(publicID) }
        guard let operation = found else {
            refusals.count(.unknownOperation)
            return nil
        }
        return try await collect(withStoredBinding(operation), for: known, beforeGrant: beforeGrant)
    }

    /// Returns the operation from the cache, or else from the database, where terminal operations stay longer, and those
    /// of other daemons are.
    func known(_ publicID: Digest256) async throws -> Operation? {
        if let card = cache.card(publicID), !isDoubtful(card) { return card.operation }
        if ports.nodes.isShared {
            // What may have changed is better than no answer: it is read again at its next check.
            do { return try await read(publicID) } catch {
                guard let card = cache.card(publicID) else { throw error }
                return card.operation
            }
        }
        try admission.lookups.take()
        return try await ports.store.findEnded(publicID: publicID)?.departed(at: clock.now)
    }

    private func peek(_ card: CachedOperation, _ caller: Caller) -> PollView? {
        let operation = card.operation
        let now = clock.now
        if caller.fingerprint == nil, Visibility.needsFingerprint(caller, operation) { return nil }
        guard Visibility.accessLevel(of: caller, to: operation) == .rightful else {
            noteUnproven(caller, operation)
            return outsideView(of: operation, at: now)
        }
        // Only the right cookie binds. Otherwise a caller with the id could lock out a client without cookies.
        if !operation.credentials.isBound, operation.credentials.codeChallenge == nil,
            caller.bindingCookie?.matches(operation.credentials.bindingCookie) == true
        {
            bind(operation)
        }
        switch operation.state {
        case .created: return pending(.created, of: card, at: now)
        case .opened: return pending(.linkOpened, of: card, at: now)
        case .pending(let scan): return pending(PendingHint(scan.progress), of: card, at: now)
        case .approved: return operation.isReturned(to: caller) ? nil : pending(.processing, of: card, at: now)
        case .redeemed: return nil
        case .closed: return .delivered(seq: operation.seq)
        case .failed(let code, _): return .failed(code, seq: operation.seq)
        }
    }

    func pending(_ hint: PendingHint, of card: CachedOperation, at now: Instant) -> PollView {
        let timeLeft = max(.zero, card.operation.pendingUntil - now)
        let view = PollView.pending(hint: hint, seq: card.operation.seq, timeLeft: timeLeft)
        return overlaid(view, isDegraded: isDegraded(card))
    }

    /// Whether the operation's provider does not answer at the moment, about it or at all.
    func isDegraded(_ card: CachedOperation) -> Bool {
        card.lastContact == .failed || providers.health.isDegraded(card.operation.provider)
    }

    /// Returns what an unproven caller sees, whether the operation was in the cache or was read.
    ///
    /// It shows the health of the login's first provider: that of the scan's provider would tell it from a decoy.
    func outsideView(of operation: Operation, at now: Instant) -> PollView {
        let view = Visibility.outsideView(of: operation, at: now)
        return overlaid(view, isDegraded: providers.health.isDegraded(usualProvider(of: operation)))
    }

    /// Returns the view with a degraded provider's hint, which does not count as a change.
    private func overlaid(_ view: PollView, isDegraded: Bool) -> PollView {
        guard case .pending(_, let seq, let timeLeft) = view, isDegraded else { return view }
        return .pending(hint: .providerDegraded, seq: seq, timeLeft: timeLeft)
    }

    private func collect(
        _ operation: Operation,
        for caller: Caller,
        beforeGrant: BeforeGrant?
    ) async throws -> PollView {
        let now = clock.now
        guard Visibility.accessLevel(of: caller, to: operation) == .rightful else {
            noteUnproven(caller, operation)
            return outsideView(of: operation, at: now)
        }
        switch operation.state {
        case .approved where operation.isReturned(to: caller):
            return try await redeem(operation, for: caller, beforeGrant: beforeGrant)
        case .redeemed(let grant):
            return try await deliverAgain(grant, of: operation, to: caller, at: now, beforeGrant: beforeGrant)
        case .created, .opened, .pending, .approved, .closed, .failed:
            return peek(CachedOperation(operation: operation), caller)
                ?? outsideView(of: operation, at: now)
        }
    }

    private func deliverAgain(
        _ grant: Grant,
        of operation: Operation,
        to caller: Caller,
        at now: Instant,
        beforeGrant: BeforeGrant?
    ) async throws -> PollView {
        guard let account = operation.request.account, Visibility.mayRedeliver(grant, of: operation, at: now) else {
            return .delivered(seq: operation.seq)
        }
        let stored = try await ports.store.find(row: operation.id)
        guard isStillRightful(caller, to: operation, asStored: stored) else {
            noteUnproven(caller, operation.bound())
            return outsideView(of: operation, at: now)
        }
        // The cache may lag behind a close that was durable although its write reported an error.
        if let stored, stored.seq > operation.seq {
            cache.put(stored)
            return .delivered(seq: stored.seq)
        }
        guard operation.request.purpose.approval == nil else {
            return try await attestAgain(grant, of: operation, for: account)
        }
        switch try await ports.accounts.sessions.review(grant, of: account, under: operation.request.policy) {
        case .allowed(var delivery):
            if let beforeGrant { try await ports.unitOfWork.run { try beforeGrant($0) } }
            delivery.isRepeated = true
            return .completed(grant, delivery, seq: operation.seq)
        case .refused:
            refusals.note(.redeliveryBlocked, operation)
            return .delivered(seq: operation.seq)
        case .collected: return .delivered(seq: operation.seq)
        }
    }
}
