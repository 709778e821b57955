// Operations: the asynchronous face operation, from its start to its end.
// Owns the state machine (`Engine/`), the cache (`Cache/`), and the code that follows, shows, collects and ends
// operations.
// Reaches accounts, sessions and providers only through ports, and issues no tokens.
// Survives restarts, races and providers that lie: each transition is a compare-and-swap in the database.
// Memory is a cache that can be rebuilt. A waiting poll runs no SQL and calls no external service.

import Crypto
package import Kernel
package import Logging

/// The use cases of a face operation: begin, open, poll and redeem, acknowledge, cancel, observe, expire.
///
/// Each use case has a file of its own. All change operations with ``transition(_:_:within:)``: a compare-and-swap
/// in the database, then an update of the cache. ``OperationMachine`` and ``Visibility`` have the rules.
package final class OperationService: Sendable {
    package let cache: OperationCache
    package let clock: EngineClock
    let environment: Environment
    package let ports: OperationPorts
    package let providers: ScanProviders
    let watch: WatchBacklog
    let admission: AdmissionControl
    let reports: OperationReports

    package init(
        environment: Environment,
        cache: OperationCache,
        ports: OperationPorts,
        providers: ScanProviders,
        cadence: WatchCadence,
        admission: AdmissionControl? = nil,
        metrics: OperationMetrics = OperationMetrics(),
        logger: Logger
    ) {
        self.cache = cache
        self.environment = environment
        let clock = EngineClock(environment)
        self.clock = clock
        self.ports = ports
        self.providers = providers
        watch = WatchBacklog(schedule: WatchSchedule(cadence: cadence), ownership: Ownership(nodes: ports.nodes))
        self.admission = admission ?? AdmissionControl(environment: environment)
        let refusals = RefusalLog(
            environment: environment,
            clock: clock,
            unitOfWork: ports.unitOfWork,
            auditLog: ports.auditLog,
            logger: logger
        )
        reports = OperationReports(refusals: refusals, metrics: metrics, logger: logger)
    }

    /// The rate limits by address and by account.
    package var limits: Limits { admission.limits }

    /// The counts and records of refused requests.
    package var refusals: RefusalLog { reports.refusals }

    /// The version of an operation that begins here.
    var firstVersion: Operation.Version { Operation.Version(seq: 1, writer: ports.nodes.node) }

    /// The number of operations with a planned check.
    package var plannedChecks: Int { watch.schedule.count }

    /// How long the oldest check that is due has been waiting for its turn; `nil` if none is due.
    package var oldestOverdueCheck: Duration? { watch.schedule.oldestOverdue(at: environment.clock.now) }

    /// The number of refusals of each limiter since the start.
    package var limiterRefusals: [String: Int] {
        let totals = refusals.limitTotals
        let fixed =
            FixedLimit.allCases.map { ($0.rawValue, totals[$0] ?? 0) } + [
                ("store_lookups", admission.lookups.refusedCount)
            ]
        return limits.refusedCounts.merging(fixed) { first, _ in first }
    }

    /// Applies an event, writes the new version over the old one, and puts it in the cache.
    ///
    /// If another transition was written first, the event is applied to that transition's result. `within` runs in the
    /// same unit of work, and an error that it throws undoes the transition.
    /// - Throws: ``OperationMachine/TransitionError`` when the event is not allowed in the state, ``StoreError``, and
    ///   the error of `within`.
    func transition(
        _ operation: Operation,
        _ event: OperationEvent,
        within: (@Sendable (Operation, borrowing Transaction) throws -> Void)? = nil
    ) async throws -> Operation {
        var current = operation
        while true {
            // A poll may have bound the operation since it was read. This write stores the binding if no other has.
            if cache.card(current.credentials.publicID)?.operation.credentials.isBound == true {
                current = current.bound()
            }
            let now = clock.now
            let (applied, effect): (Operation, OperationMachine.Effect)
            do { (applied, effect) = try OperationMachine.apply(event, to: current, now: now) } catch {
                // Another daemon may have written a version that this one has not heard of.
                guard let newer = try await newer(than: current) else { throw error }
                current = newer
                continue
            }
            let next = applied.written(by: ports.nodes.node)
            let entry = AuditRecord(of: next, from: current, at: now)
            let seq = current.seq
            let isWritten = try await ports.unitOfWork.run { [self] transaction in
                guard try ports.store.update(next, over: seq, in: transaction) else { return false }
                try within?(next, transaction)
                if let entry { try write(entry, of: next, in: transaction) }
                return true
            }
            if isWritten {
                if entry == nil, next.state.isTerminal { refusals.count(.expiredUnopened) }
                take(in: next, after: event, from: current, at: now)
                see(to: effect, of: next)
                return next
            }
            guard let fresh = try await ports.store.find(row: current.id), fresh.seq > current.seq else {
                throw OperationMachine.TransitionError.notInThisState
            }
            cache.put(fresh)
            // A write of ours that was durable although it reported an error has planned no check of what it began.
            follow(fresh)
            current = fresh
        }
    }

    /// Returns the version that another daemon has written since the operation was read; `nil` if there is none.
    private func newer(than operation: Operation) async throws -> Operation? {
        guard ports.nodes.isShared, !operation.state.isTerminal,
            let stored = try await ports.store.find(row: operation.id), stored.seq > operation.seq
        else { return nil }
        cache.put(stored)
        follow(stored)
        return stored
    }

    /// Writes a transition to the audit log, and reports a decision.
    func write(_ entry: AuditRecord, of next: Operation, in transaction: borrowing Transaction) throws {
        try ports.auditLog.append(entry, in: transaction)
        switch next.state {
        case .approved, .failed: try ports.onDecision(next, transaction)
        case .created, .opened, .pending, .redeemed, .closed: break
        }
    }

    /// Updates cache, metrics and indexes after a transition is durable.
    func take(
        in next: Operation,
        after event: OperationEvent,
        from current: Operation,
        at now: Instant
    ) {
        if next.credentials.isBound { watch.bindings.remove(next.id) }
        ports.feed.announce(.changed(publicID: next.credentials.publicID, seq: next.seq))
        reports.metrics.moved(next, from: current, at: now)
        cache.put(next)
        if case .failed(.deniedNotMe, _) = next.state { quiet(initiatorOf: next) }
        rememberInitiator(of: next)
        noteOrphan(event, from: current, to: next)
    }

    private func see(to effect: OperationMachine.Effect, of operation: Operation) {
        switch effect {
        case .startScan, .askAgain:
            // An operation of another daemon may have left the cache meanwhile, and its plan with it.
            watch.schedule.planIfNone(
                operation.credentials.publicID,
                at: clock.uptime(of: operation.validity.deadline)
            )
        case .follow, .awaitCollection, .openSession, .attest, .end: follow(operation)
        }
    }

    /// Plans the operation's next check, or the next reading of an operation that another daemon follows.
    func follow(_ operation: Operation) {
        let now = environment.clock.now
        let lastPoll = cache.lastPoll(operation.credentials.publicID, now: now)
        guard operation.state.isTerminal || watch.ownership.includes(operation) else {
            return planCatchUp(operation, lastPoll: lastPoll)
        }
        watch.schedule.plan(
            operation,
            clock: clock,
            uptime: now,
            lastPoll: lastPoll,
            jitter: environment.unitInterval()
        )
    }
}

extension AuditRecord {
    /// Creates the audit record of a transition; `nil` for a transition that is not audited.
    init?(of next: Operation, from old: Operation, at now: Instant) {
        // A wrong pairing number changes no state, and the refusal's record has it.
        guard next.state != old.state else { return nil }
        let event: OperationAuditEvent
        var detail: String?
        switch next.state {
        case .created: return nil
        case .opened: event = .opened
        case .pending(let scan):
            if case .pending(let before) = old.state, before.reference == scan.reference, old.provider == next.provider
            {
                return nil
            }
            event = .scanStarted
            detail = "attempt \(scan.attempt)" + (old.provider == next.provider ? "" : " at \(next.provider)")
        case .approved: event = .approved
        case .redeemed(let grant):
            event = .redeemed
            // The detail of an approval is its token's id, because its session existed before.
            detail = next.request.purpose.approval == nil ? grant.session.description : grant.accessTokenID.description
        // Only a completed enrolment goes from pending to closed.
        case .closed: event = old.state.name == .pending ? .enrolled : .closed
        case .failed(let code, _):
            // Thousands of operations expire unopened in a flood, and say nothing about an account.
            guard old.state.name != .created || code != .expired else { return nil }
            event = .failed
            detail = code.rawValue
        }
        self.init(event, of: next, at: now, detail: detail)
    }
}
