// Operations: the asynchronous operation, from its start to its end.
// Owns the machine (`Engine/`), the cache (`Cache/`), and what follows, shows, collects and ends operations.
// Touches no account, session or provider but by a port; issues no tokens.
// Survives restarts, races and providers that lie: each transition is a compare-and-swap in the store.
// Memory is a cache that can be rebuilt; a poll that waits does no SQL and no outside call.

import Crypto
package import Kernel
package import Logging

/// The use cases of a face login: begin, open, poll and redeem, acknowledge, cancel, observe, expire.
///
/// Each has a file of its own. All use ``transition(_:_:page:within:)``: a compare-and-swap in the store, then an
/// update of the cache. The rules are in ``OperationMachine`` and ``Visibility``.
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
        watch = WatchBacklog(schedule: WatchSchedule(cadence: cadence))
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

    /// The limits by address and by account.
    package var limits: Limits { admission.limits }

    /// The record of refused requests.
    package var refusals: RefusalLog { reports.refusals }

    /// How many operations have a planned check.
    package var plannedChecks: Int { watch.schedule.count }

    /// How often each limiter has refused since the start.
    package var limiterRefusals: [String: Int] {
        let totals = refusals.limitTotals
        let fixed =
            FixedLimit.allCases.map { ($0.rawValue, totals[$0] ?? 0) } + [
                ("store_lookups", admission.lookups.refusedCount)
            ]
        return limits.refusedCounts.merging(fixed) { first, _ in first }
    }

    /// Applies an event, writes the new version over the one it was made from, and puts it in the cache.
    ///
    /// When another transition was first, the event is tried again on its result. `within` runs in the same unit of
    /// work, and an error of it undoes the transition.
    /// - Throws: ``OperationMachine/TransitionError`` when the event does not fit the state; ``StoreError``.
    func transition(
        _ operation: Operation,
        _ event: OperationEvent,
        page: Secret? = nil,
        within: (@Sendable (Operation, borrowing Transaction) throws -> Void)? = nil
    ) async throws -> Operation {
        var current = operation
        while true {
            // A poll may have bound it since it was read; this write stores that at the latest.
            if cache.card(current.credentials.publicID)?.operation.credentials.isBound == true {
                current = current.bound()
            }
            let now = clock.now
            let (next, effect) = try OperationMachine.apply(event, to: current, now: now)
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
                take(in: next, after: event, from: current, at: now, page: page)
                see(to: effect, of: next)
                return next
            }
            guard let fresh = try await ports.store.find(row: current.id), fresh.seq > current.seq else {
                throw OperationMachine.TransitionError.notInThisState
            }
            cache.put(fresh)
            current = fresh
        }
    }

    /// Writes a transition to the audit log, and reports a decision.
    func write(_ entry: AuditRecord, of next: Operation, in transaction: borrowing Transaction) throws {
        try ports.auditLog.append(entry, in: transaction)
        switch next.state {
        case .approved, .failed: try ports.onDecision(next.id, transaction)
        case .created, .opened, .pending, .redeemed, .closed: break
        }
    }

    /// Updates memory after a durable step.
    func take(
        in next: Operation,
        after event: OperationEvent,
        from current: Operation,
        at now: Instant,
        page: Secret? = nil
    ) {
        if next.credentials.isBound { watch.bindings.remove(next.id) }
        reports.metrics.moved(next, from: current, at: now)
        cache.put(next, page: page)
        if case .failed(.deniedNotMe, _) = next.state { quiet(initiatorOf: next) }
        rememberInitiator(of: next)
        noteOrphan(event, from: current, to: next)
    }

    private func see(to effect: OperationMachine.Effect, of operation: Operation) {
        switch effect {
        case .startScan, .askAgain: break
        case .follow, .awaitCollection, .openSession, .attest, .end: follow(operation)
        }
    }

    /// Plans the operation's next check.
    func follow(_ operation: Operation) {
        let now = environment.clock.now
        watch.schedule.plan(
            operation,
            clock: clock,
            uptime: now,
            lastPoll: cache.lastPoll(operation.credentials.publicID, now: now),
            jitter: environment.unitInterval()
        )
    }
}

extension AuditRecord {
    /// Creates the record of a transition, if the audit log wants it.
    init?(of next: Operation, from old: Operation, at now: Instant) {
        // A wrong number changes no state; a refusal's row records it.
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
            // The detail of an approval names its token: its session is older.
            detail = next.request.purpose.approval == nil ? grant.session.description : grant.accessTokenID.description
        // Only a completed enrolment goes from pending to closed.
        case .closed: event = old.state.name == .pending ? .enrolled : .closed
        case .failed(let code, _):
            // Operations that nobody opened expire by the thousand under a flood; they are nobody's history.
            guard old.state.name != .created || code != .expired else { return nil }
            event = .failed
            detail = code.rawValue
        }
        self.init(event, of: next, at: now, detail: detail)
    }
}
