package import Kernel

/// The answer to a client that collects by another protocol, such as OAuth, and gets that protocol's session.
package enum CollectView: Sendable, Equatable {
    case pending
    case failed(FailureCode)
    /// The session's tokens have to be signed, with the same content each time.
    case granted(SessionID)
    /// The tokens were handed out before, and are not handed out again.
    case delivered
}

/// The sign-in of a collection, from which the other protocol opens its session.
package struct CollectedSignIn: Sendable {
    package let account: AccountID
    package let session: SessionID
    /// The face that was scanned.
    package let face: FaceInForce
    /// The time at which the person authenticated, by the wall clock.
    package let authenticatedAt: Instant
}

extension OperationService {
    /// Opens the collection's session in the unit of work of the transition; returns `false` if the account may not
    /// have one.
    package typealias OpeningElsewhere = @Sendable (CollectedSignIn, borrowing Transaction) throws -> Bool

    /// Returns the answer to the caller from the cache alone; `nil` where the cache is not enough.
    package func collectingPeek(_ publicID: Digest256, _ caller: Caller) -> CollectView? {
        peek(publicID, caller).flatMap(CollectView.init)
    }

    /// Returns the answer to the caller, and opens the session for the rightful caller of an approved operation.
    ///
    /// Transition and session are one unit of work, so that races and crashes leave one session per operation. The same
    /// session is returned again until the redemption window ends. The caller decides whether its tokens may still be
    /// handed out.
    /// - Returns: `nil` for an unknown id.
    package func collect(
        _ publicID: Digest256,
        _ caller: Caller,
        opening: @escaping OpeningElsewhere
    ) async throws -> CollectView? {
        // A collection that lost a race finds the other collection's result at the next attempt.
        for _ in 0..<4 {
            if let view = collectingPeek(publicID, caller) { return view }
            guard let found = try await known(publicID) else {
                refusals.count(.unknownOperation)
                return nil
            }
            let operation = try await withStoredBinding(found)
            guard Visibility.accessLevel(of: caller, to: operation) == .rightful,
                let account = operation.request.account
            else {
                return CollectView(Visibility.outsideView(of: operation, at: clock.now))
            }
            switch operation.state {
            case .approved:
                if let view = try await open(operation, of: account, for: caller, opening) { return view }
            case .redeemed(let grant): return try await openedBefore(grant, operation)
            case .created, .opened, .pending: return .pending
            case .closed: return .delivered
            case .failed(let code, _): return .failed(code)
            }
        }
        throw StoreError.unavailable(cause: "an operation did not stand still")
    }

    /// The account may not have a session, or its face is no longer in force.
    private struct AccountRefusedError: Error {}

    /// Returns `nil` if another request was first, or the approval window has ended.
    private func open(
        _ operation: Operation,
        of account: AccountID,
        for caller: Caller,
        _ opening: @escaping OpeningElsewhere
    ) async throws -> CollectView? {
        let grant = newGrant(for: caller, of: operation)
        do {
            _ = try await transition(operation, .redeemRequested(grant)) { [self] _, transaction in
                guard let face = try faceInForce(operation, of: account, in: transaction) else {
                    throw AccountRefusedError()
                }
                let collection = CollectedSignIn(
                    account: account,
                    session: grant.session,
                    face: face,
                    authenticatedAt: grant.authenticatedAt
                )
                guard try opening(collection, transaction) else { throw AccountRefusedError() }
            }
            return .granted(grant.session)
        } catch is AccountRefusedError {
            refusals.note(.collectBlocked, operation)
            do { _ = try await transition(operation, .accountBlocked) } catch is OperationMachine.TransitionError {}
            return .failed(.accountBlocked)
        } catch is OperationMachine.TransitionError {
            guard let current = try await ports.store.find(row: operation.id) else { return nil }
            cache.put(current)
            // As after a redemption that was too late (``afterLosing(_:for:beforeGrant:)``).
            let shown = cache.card(current.credentials.publicID)?.operation ?? current
            if case .approved = shown.state { try await expire(shown) }
            return nil
        }
    }

    private func openedBefore(_ grant: Grant, _ operation: Operation) async throws -> CollectView {
        guard Visibility.mayRedeliver(grant, of: operation, at: clock.now) else { return .delivered }
        // The cache may lag behind a close that was durable although its write reported an error.
        if let stored = try await ports.store.find(row: operation.id), stored.seq > operation.seq {
            cache.put(stored)
            return .delivered
        }
        return .granted(grant.session)
    }
}

extension CollectView {
    /// `nil` for a view that carries tokens of the engine.
    fileprivate init?(_ view: PollView) {
        switch view {
        case .pending: self = .pending
        case .failed(let code, _): self = .failed(code)
        case .delivered: self = .delivered
        case .completed, .attested: return nil
        }
    }
}
