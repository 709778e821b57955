import Kernel

extension OperationService {
    /// The account, its device or its face was revoked before the collection.
    private struct SubjectRefusedError: Error {}

    /// Redeems an approved operation.
    ///
    /// The operation's transition, the session, its refresh token's row, its device link and the audit row are one unit
    /// of work. So races and crashes leave one session per operation.
    func redeem(
        _ operation: Operation,
        for caller: Caller,
        beforeGrant: BeforeGrant?
    ) async throws -> PollView {
        guard let account = operation.request.account else {
            return outsideView(of: operation, at: clock.now)
        }
        if case .approve(_, let session) = operation.request.purpose {
            return try await redeemApproval(operation, of: account, from: session, for: caller)
        }
        let grant = newGrant(for: caller, of: operation)
        let delivery = Handover<Delivery>()
        do {
            let next = try await transition(operation, .redeemRequested(grant)) { [self] _, transaction in
                try beforeGrant?(transaction)
                guard let face = try faceInForce(operation, of: account, in: transaction) else {
                    throw SubjectRefusedError()
                }
                let request = SessionRequest(
                    operation: operation,
                    account: account,
                    face: face,
                    grant: grant,
                    caller: caller
                )
                switch try ports.accounts.sessions.open(request, in: transaction) {
                case .allowed(let allowed): delivery.put(allowed)
                case .refused, .collected: throw SubjectRefusedError()
                }
            }
            guard let delivery = delivery.take() else { throw StoreError.corrupt(cause: "a session of nobody") }
            return .completed(grant, delivery, seq: next.seq)
        } catch is SubjectRefusedError {
            return try await block(operation, for: caller)
        } catch is OperationMachine.TransitionError {
            return try await afterLosing(operation, for: caller, beforeGrant: beforeGrant)
        }
    }

    /// Returns the face that was scanned, in the unit of work that redeems the approval.
    ///
    /// `nil` if the face was withdrawn or enrolled again since its scan began.
    func faceInForce(
        _ operation: Operation,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> FaceInForce? {
        guard let scan = operation.scan else { return nil }
        let mark = try ports.store.face(of: OperationCache.key(of: scan, at: operation.provider), in: transaction)
        let face = try ports.accounts.subjects.face(of: account, at: operation.provider, in: transaction)
        // Scans of earlier versions have no mark, and count for any face.
        return mark == nil || mark == face?.mark ? face : nil
    }

    /// Ends an operation without a grant, because its account, device or face was revoked.
    func block(_ operation: Operation, for caller: Caller) async throws -> PollView {
        refusals.note(.collectBlocked, operation)
        do { _ = try await transition(operation, .accountBlocked) } catch is OperationMachine.TransitionError {}
        return peek(operation.credentials.publicID, caller) ?? .failed(.accountBlocked, seq: operation.seq + 1)
    }

    /// Returns the current view after another request was first, or the approval window has ended.
    func afterLosing(
        _ operation: Operation,
        for caller: Caller,
        beforeGrant: BeforeGrant? = nil
    ) async throws -> PollView {
        if let current = try await ports.store.find(row: operation.id) {
            cache.put(current)
            // The expiry is written before the caller learns of it, so that no caller sees two different outcomes. Of one
            // version the cache has the times that the refusal was measured by.
            let shown = cache.card(current.credentials.publicID)?.operation ?? current
            if case .approved = shown.state { try await expire(shown) }
        }
        guard let settled = try await known(operation.credentials.publicID), settled.state.name != .approved else {
            return .failed(.expired, seq: operation.seq + 1)
        }
        let view = try await poll(settled.credentials.publicID, caller, beforeGrant: beforeGrant)
        return view ?? outsideView(of: settled, at: clock.now)
    }

    func newGrant(for caller: Caller, of operation: Operation) -> Grant {
        let isProven =
            operation.credentials.codeChallenge != nil
            || caller.bindingCookie?.matches(operation.credentials.bindingCookie) == true
        // A random fingerprint matches no caller: without proof or fingerprint, a caller gets the answer once.
        let collector: Grant.Collector =
            isProven ? .proven : .fingerprint(caller.fingerprint ?? Digest256(randomFrom: environment))
        let wallClock = environment.now()
        let now = clock.now
        var authenticatedAt = wallClock
        if case .approved(let approval) = operation.state { authenticatedAt = wallClock - (now - approval.at) }
        return Grant(
            session: operation.request.account.map { environment.newID(of: $0) } ?? environment.newID(),
            accessTokenID: environment.newUUID(),
            refreshTokenID: environment.newUUID(),
            issuedAt: wallClock,
            authenticatedAt: authenticatedAt,
            redeemedAt: now,
            collector: collector
        )
    }
}
