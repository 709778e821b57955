package import Kernel

/// What is told to a client that collects by another protocol than ours, and gets a session of another kind.
package enum CollectView: Sendable, Equatable {
    case pending
    case failed(FailureCode)
    /// The tokens of this session are to be signed; the same ones each time.
    case granted(SessionID)
    /// Its tokens were handed out, and are not again.
    case delivered
}

/// What such a client gets in the place of a session of the engine's.
package struct CollectedSignIn: Sendable {
    package let account: AccountID
    package let session: SessionID
    /// Where the face was scanned.
    package let provider: ProviderName
    /// When the person proved who they are, wall clock.
    package let authenticatedAt: Instant
}

extension OperationService {
    /// Opens the session of a collection, in the unit of work of the operation's step; `false` if the account may not have
    /// one.
    package typealias OpeningElsewhere = @Sendable (CollectedSignIn, borrowing Transaction) throws -> Bool

    /// What the caller is told of an operation, straight from the cache; `nil` where that is not enough.
    package func collectingPeek(_ publicID: Digest256, _ caller: Caller) -> CollectView? {
        peek(publicID, caller).flatMap(CollectView.init)
    }

    /// What the caller is told; opens the session when it is the rightful one and the operation is approved.
    ///
    /// There is one session per operation, whatever races or dies: the step and the session are one unit of work. Until its
    /// window ends the same session is told again; whether its tokens may still be handed out is up to whoever signs them.
    /// - Returns: `nil` for an id that nobody was given.
    package func collect(
        _ publicID: Digest256,
        _ caller: Caller,
        opening: @escaping OpeningElsewhere
    ) async throws -> CollectView? {
        // A collection that another one was before finds what that one left.
        for _ in 0..<4 {
            if let view = collectingPeek(publicID, caller) { return view }
            guard let operation = try await known(publicID) else {
                refusals.count(.unknownOperation)
                return nil
            }
            guard Visibility.accessLevel(of: caller, to: operation) == .rightful, let account = operation.account else {
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

    /// The account may not have a session, or not by that face.
    private struct AccountRefusedError: Error {}

    /// `nil` where another request was first, or the window has passed.
    private func open(
        _ operation: Operation,
        of account: AccountID,
        for caller: Caller,
        _ opening: @escaping OpeningElsewhere
    ) async throws -> CollectView? {
        let grant = newGrant(for: caller, of: operation)
        let collection = CollectedSignIn(
            account: account,
            session: grant.session,
            provider: operation.provider,
            authenticatedAt: grant.authenticatedAt
        )
        do {
            _ = try await transition(operation, .redeemRequested(grant)) { [self] _, transaction in
                guard try isFaceInForce(operation, of: account, in: transaction),
                    try opening(collection, transaction)
                else { throw AccountRefusedError() }
            }
            return .granted(grant.session)
        } catch is AccountRefusedError {
            refusals.note(.collectBlocked, operation)
            do { _ = try await transition(operation, .accountBlocked) } catch is OperationMachine.TransitionError {}
            return .failed(.accountBlocked)
        } catch is OperationMachine.TransitionError {
            guard let current = try await store.find(row: operation.id) else { return nil }
            cache.put(current)
            // Said only once it is written, so that no caller hears of two different ends.
            if case .approved = current.state { try await expire(current) }
            return nil
        }
    }

    private func openedBefore(_ grant: Grant, _ operation: Operation) async throws -> CollectView {
        guard Visibility.mayRedeliver(grant, of: operation, at: clock.now) else { return .delivered }
        // The cache may lag behind a close that was durable though it reported a fault.
        if let stored = try await store.find(row: operation.id), stored.seq > operation.seq {
            cache.put(stored)
            return .delivered
        }
        return .granted(grant.session)
    }
}

extension CollectView {
    /// `nil` for a view that hands out something of the engine's own.
    fileprivate init?(_ view: PollView) {
        switch view {
        case .pending: self = .pending
        case .failed(let code, _): self = .failed(code)
        case .delivered: self = .delivered
        case .completed, .attested: return nil
        }
    }
}
