package import Kernel

// Remedies end many operations in the unit of work that ends the sessions or devices that started them.
extension OperationService {
    /// Ends the account's live operations that meet the condition, in the caller's unit of work.
    ///
    /// Each operation of the cache is read again there, so that one that has changed meanwhile ends too. The cache follows once the
    /// unit is durable. Until then it has the previous version, but a collection finds the ended row. ``settle(_:of:)``
    /// repeats the step for a unit that reported an error and is durable all the same.
    package func end(
        _ event: OperationEvent,
        of account: AccountID,
        in transaction: borrowing Transaction,
        where isMeant: (Operation) -> Bool = { _ in true }
    ) throws {
        let live =
            ports.nodes.isShared
            ? try ports.store.live(ofAccount: account, in: transaction).map { $0.clamped(to: clock.now) }
            : cache.live(of: account)
        for operation in live where isMeant(operation) { try end(event, operation, in: transaction) }
    }

    /// Ends the account's live operations that one of the ended sessions or devices has started.
    package func end(
        _ event: OperationEvent,
        of account: AccountID,
        startedBy ended: EndedSessions,
        in transaction: borrowing Transaction
    ) throws {
        try end(event, of: account, in: transaction, where: ended.haveStarted)
    }

    /// Ends the live operations of a client, for all accounts, as far as they are in this daemon's cache.
    ///
    /// ``endElsewhere(_:ofClient:)`` ends the others afterwards.
    package func end(_ event: OperationEvent, ofClient client: String, in transaction: borrowing Transaction) throws {
        for operation in live(ofClient: client) { try end(event, operation, in: transaction) }
    }

    /// Whether other daemons have operations that this one does not know.
    package var isShared: Bool { ports.nodes.isShared }

    /// Ends the live operations of a client that only other daemons have in their caches, each in a unit of its own.
    ///
    /// There may be any number of them, and one unit for all would keep every other write waiting.
    ///
    /// `limit`: The beginning of the last one that ends, by another daemon's clock.
    package func endElsewhere(_ event: OperationEvent, ofClient client: String, begunBy limit: Instant) async throws {
        let limit = limit + DatabaseClock.tolerance * 2
        // One that another daemon writes meanwhile may change its place in the list.
        while try await endOnce(event, ofClient: client, begunBy: limit) > 0 {}
    }

    private func endOnce(_ event: OperationEvent, ofClient client: String, begunBy limit: Instant) async throws -> Int {
        var last: Operation?
        var count = 0
        while true {
            let found = try await ports.store.live(ofClient: client, after: last, limit: Self.endedAtOnce)
            for operation in found
            where operation.request.ends(with: client) && operation.validity.createdAt <= limit {
                // It may end in the same moment.
                do { _ = try await transition(operation.clamped(to: clock.now), event) } catch is OperationMachine
                    .TransitionError
                { continue }
                count += 1
            }
            guard let end = found.last, found.count == Self.endedAtOnce else { return count }
            last = end
        }
    }

    private static let endedAtOnce = 200

    /// Updates the cache with what ``end(_:of:in:where:)`` has made durable.
    package func settle(_ event: OperationEvent, of account: AccountID) async throws {
        for operation in cache.live(of: account) { try await settle(event, operation) }
    }

    package func settle(_ event: OperationEvent, ofClient client: String) async throws {
        for operation in live(ofClient: client) { try await settle(event, operation) }
    }

    private func live(ofClient client: String) -> [Operation] {
        cache.cards { $0.request.ends(with: client) && !$0.state.isTerminal }.map(\.operation)
    }

    private func end(_ event: OperationEvent, _ operation: Operation, in transaction: borrowing Transaction) throws {
        guard let stored = try ports.store.find(row: operation.id, in: transaction) else { return }
        // For the same version the cache has the better times: only the cache corrects them after the clock was set
        // back.
        var current = stored.seq == operation.seq ? operation : stored
        if operation.credentials.isBound { current = current.bound() }
        let now = clock.now
        guard let (applied, _) = try? OperationMachine.apply(event, to: current, now: now) else { return }
        let next = applied.written(by: ports.nodes.node)
        guard try ports.store.update(next, over: current.seq, in: transaction) else { return }
        transaction.whenDurable { [self] in take(ended: next, by: event, from: operation) }
        guard let entry = AuditRecord(of: next, from: current, at: now) else { return }
        try write(entry, of: next, in: transaction)
    }

    /// Updates the cache, unless it has the end already.
    private func take(ended next: Operation, by event: OperationEvent, from operation: Operation) {
        guard let card = cache.card(operation.credentials.publicID) else {
            // Only another daemon has it in its cache.
            return ports.feed.announce(.changed(publicID: next.credentials.publicID, seq: next.seq))
        }
        guard !card.operation.state.isTerminal else { return }
        take(in: next, after: event, from: operation, at: clock.now)
        follow(next)
    }

    private func settle(_ event: OperationEvent, _ operation: Operation) async throws {
        guard let stored = try await ports.store.find(row: operation.id), stored.state.isTerminal else { return }
        take(ended: stored, by: event, from: operation)
    }
}

extension Operation.Request {
    /// Whether the request ends with the sessions of that client: who signs in to it does, and who enrols in one of them.
    fileprivate func ends(with client: String) -> Bool {
        policy.signsInTo == client || purpose.kind == .enroll && policy.clientID == client
    }
}

extension ClientPolicy {
    /// The client that the person signs in to, which is not the requesting client where the server's own page asks.
    package var signsInTo: String { landing.signsInTo ?? clientID }

    /// Returns the same policy for an operation in which the server's own page asks for that client or page.
    package func signingIn(to client: String, named name: String) -> ClientPolicy {
        ClientPolicy(
            clientID: clientID,
            audience: audience,
            verifier: verifier,
            initiators: initiators,
            timing: timing,
            accessTokenLifetime: accessTokenLifetime,
            refreshTokenLifetime: refreshTokenLifetime,
            landing: LandingPolicy(
                clientName: name,
                step: landing.step,
                confirmation: landing.confirmation,
                returnURLs: landing.returnURLs,
                requiresReturn: landing.requiresReturn,
                starter: landing.starter,
                asked: landing.asked,
                signsInTo: client
            )
        )
    }
}
