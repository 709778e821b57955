package import Kernel
import Logging

/// What a daemon has just read of an operation that may not be in its cache, because it ended long ago.
///
/// It is an object, because a request that waits keeps its variables.
package final class LoadedOperation: Sendable {
    /// `nil`: There is no such operation.
    let operation: Operation?

    init(_ operation: Operation?) { self.operation = operation }
}

// Operations that another daemon follows are in the cache while somebody asks for them here.
extension OperationService {
    /// The interval in which an operation of another daemon is read again while a client waits for it here.
    static let catchUpWhileWaiting: Duration = .seconds(2)
    /// The interval while no client waits.
    static let catchUpOtherwise: Duration = .seconds(15)
    /// An operation of another daemon leaves the cache when nobody has asked for it for so long.
    static let idleStay: Duration = .seconds(60)

    /// Reads an operation of another daemon into the cache, if it is not there.
    ///
    /// An id that no daemon made costs one hash, and no read. Where no other daemon uses the database, every live
    /// operation is in the cache, and nothing is read.
    /// - Returns: What is known of it, for an answer that need not read again; `nil` if nothing was looked up.
    /// - Throws: ``StoreLookups/BudgetExceededError``, ``StoreError``.
    @discardableResult
    package func load(_ id: UUIDBits) async throws -> LoadedOperation? {
        guard ports.nodes.isShared, admission.tagged.isIssued(id) else { return nil }
        return LoadedOperation(try await known(Digest256(sha256: id)))
    }

    /// Reads an operation of another daemon into the cache, whose id the caller has found in the database.
    /// - Throws: ``StoreLookups/BudgetExceededError``, ``StoreError``.
    package func load(_ publicID: Digest256) async throws {
        guard ports.nodes.isShared else { return }
        _ = try await known(publicID)
    }

    /// Reads the operation of a landing page into the cache, if another daemon follows it.
    ///
    /// It is read after its end too, so that the browser of its scan learns the outcome from any daemon. A ticket that no
    /// daemon made costs one hash, and no read.
    /// - Throws: ``StoreLookups/BudgetExceededError``, ``StoreError``.
    package func load(ticket: String) async throws {
        guard ports.nodes.isShared else { return }
        let digest = Digest256(sha256: ticket)
        if let card = cache.card(ticket: digest), !isDoubtful(card), !card.lacksBrowser { return }
        guard admission.tagged.bucket(ofTicket: ticket) != nil else { return }
        try admission.ticketLookups.take()
        guard let (stored, browser) = try await ports.store.find(ticket: digest) else { return }
        if let end = stored.state.endedAt, end + OperationCache.terminalStay <= clock.now { return }
        take(in: stored)
        // Before the verdict another browser may begin the scan again.
        guard stored.state.name.isDecided, let browser else { return }
        cache.note(browser: browser, of: stored.credentials.publicID)
    }

    /// Reads an operation that is not in the cache, or that may have changed without a message.
    func read(_ publicID: Digest256) async throws -> Operation? {
        try admission.lookups.take()
        guard let stored = try await ports.store.find(publicID: publicID) else { return nil }
        if let end = stored.state.endedAt, end + OperationCache.terminalStay <= clock.now {
            return stored.departed(at: clock.now)
        }
        take(in: stored)
        // A client asks for it.
        attend(publicID)
        return cache.card(publicID)?.operation ?? stored
    }

    /// Whether the cached operation may have changed without a message.
    func isDoubtful(_ card: CachedOperation) -> Bool {
        ports.nodes.isShared && !card.operation.state.isTerminal && cache.isStale(card.operation.credentials.publicID)
    }

    /// Puts a stored operation in the cache, and plans its next check.
    func take(in stored: Operation) {
        let operation = stored.clamped(to: clock.now)
        cache.put(operation)
        // Its collection may have been another daemon's, and only this one may know who began it.
        rememberInitiator(of: operation)
        if operation.credentials.isBound { cache.bind(operation.credentials.publicID) }
        cache.noteReadBack(operation.credentials.publicID, at: environment.clock.now, isForgotten: false)
        follow(cache.card(operation.credentials.publicID)?.operation ?? operation)
    }

    /// Reads an operation of another daemon again, and plans the next time; drops one that nobody asks for.
    func catchUp(_ operation: Operation) async throws {
        let publicID = operation.credentials.publicID
        let now = environment.clock.now
        let lastPoll = cache.lastPoll(publicID, now: now)
        let lastUse = [cache.readBackAt(publicID), lastPoll].compactMap(\.self).max()
        guard let lastUse, now - lastUse <= Self.idleStay else {
            // Where it was begun its source is kept, since another daemon may collect it and its owner disown it.
            if let source = cache.source(of: publicID), operation.request.account != nil {
                admission.initiators.note(source, of: operation.id)
            }
            return cache.remove(publicID)
        }
        // The daemon that follows it tells so again while a client waits here.
        if !watch.ownership.includes(operation) {
            cache.forgetToldDegraded(publicID, olderThan: Self.toldEvery * 2, at: now)
        }
        guard let stored = try await ports.store.find(row: operation.id) else { return cache.remove(publicID) }
        take(in: stored)
        if lastPoll.map({ isWaitedFor(since: $0) }) ?? false { tellOwner(cache.card(publicID)?.operation ?? stored) }
    }

    private func isWaitedFor(since lastPoll: Uptime) -> Bool {
        environment.clock.now - lastPoll < watch.schedule.cadence.hotFor
    }

    /// Plans when an operation of another daemon is read again.
    func planCatchUp(_ operation: Operation, lastPoll: Uptime?) {
        // A provider's hint is for the daemon that follows the scan. An old one would stand in the way of new ones.
        watch.schedule.checkBegins(operation.credentials.publicID)
        let now = environment.clock.now
        let isWaited = lastPoll.map { isWaitedFor(since: $0) } ?? false
        let interval = isWaited ? Self.catchUpWhileWaiting : Self.catchUpOtherwise
        watch.schedule.plan(
            operation.credentials.publicID,
            at: now + interval * (0.9 + 0.2 * environment.unitInterval())
        )
    }

    /// Returns the account's live operations, whichever daemon follows them.
    func liveOperations(of account: AccountID) async throws -> [Operation] {
        guard ports.nodes.isShared else { return cache.live(of: account) }
        let now = clock.now
        return try await ports.unitOfWork.read { [store = ports.store] transaction in
            try store.live(ofAccount: account, in: transaction).map { $0.clamped(to: now) }
        }
    }

    /// Returns the account's live operations, or those that are known here if the database can't be read.
    func knownLive(of account: AccountID) async -> [Operation] {
        (try? await liveOperations(of: account)) ?? cache.live(of: account)
    }

    /// Returns the operation with the binding that a poll on another daemon may have written.
    ///
    /// Otherwise a caller with the id alone could collect here what another caller has bound to its cookie there.
    func withStoredBinding(_ operation: Operation) async throws -> Operation {
        guard ports.nodes.isShared, !operation.credentials.isBound, operation.credentials.codeChallenge == nil,
            case .approved = operation.state,
            try await ports.store.find(row: operation.id)?.credentials.isBound == true
        else { return operation }
        cache.bind(operation.credentials.publicID)
        return operation.bound()
    }

    /// Whether a caller that is rightful by the cache is so by the row too, which a poll on another daemon may have bound.
    ///
    /// The cache learns of the binding.
    func isStillRightful(_ caller: Caller, to operation: Operation, asStored stored: Operation?) -> Bool {
        guard let stored, stored.credentials.isBound, !operation.credentials.isBound else { return true }
        cache.bind(operation.credentials.publicID)
        return Visibility.accessLevel(of: caller, to: operation.bound()) == .rightful
    }
}
