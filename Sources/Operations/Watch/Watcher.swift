package import Kernel
import Logging
import Synchronization

/// Follows live operations: checks their scans, and ends them in time, however many clients poll.
///
/// ``run()`` is the loop of the daemon. Tests in virtual time call ``tick()`` and ``check(_:)`` themselves.
package final class Watcher: Sendable {
    /// The longest pause between two ticks, which is also the longest delay of a newly planned check.
    private static let tickInterval: Duration = .milliseconds(50)
    /// The shortest pause.
    ///
    /// When the watcher is full, overdue checks stay on the schedule, and it must not spin on them.
    private static let shortestPause: Duration = .milliseconds(5)
    /// The pause after hinted checks have begun, so that the checks of the next hints begin together.
    private static let hintPause: Duration = .milliseconds(10)
    /// How many overdue parked polls a tick wakes: 12,800 a second at the shortest pause.
    private static let wakesPerTick = 64
    /// How many checks may run besides those that wait for a provider, so that hanging providers delay no deadline.
    private static let ownConcurrency = 480
    /// The pause before the next look whether the lease is held again.
    private static let leasePause: Duration = .milliseconds(500)
    /// The shortest time that a check gets, even just before the last checks of its scan.
    private static let shortestCheck: Duration = .seconds(2)

    private let service: OperationService
    private let patience = Mutex<[Digest256: ScanPatience]>([:])
    private let scanChecks = SingleEntry<Digest256>()
    private let slots: Mutex<[ProviderName: CheckSlots]>
    private let checksInProgress = Mutex(0)

    package init(service: OperationService) {
        self.service = service
        slots = Mutex(service.providers.byName.mapValues { CheckSlots(total: $0.checkConcurrency) })
    }

    /// The greatest number of concurrent checks.
    ///
    /// A check takes a slot of its provider before it calls it, so at most that many checks can hang.
    package var concurrency: Int {
        Self.ownConcurrency + service.providers.byName.values.reduce(0) { $0 + max(0, $1.checkConcurrency) }
    }

    /// Follows operations until the task is cancelled, and then finishes the checks in progress.
    package func run() async {
        await withDiscardingTaskGroup { loops in
            loops.addTask { await self.followTime() }
            loops.addTask { await self.followHints() }
            loops.addTask { await self.service.followFeed() }
        }
        // The server has stopped by now, so these are the bindings of the last polls.
        await keepBindings(isLast: true)
    }

    /// Runs checks when they are due.
    private func followTime() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                wakeOverdue()
                begin(in: &group)
                for scan in service.providers.orphanedScans.take() { group.addTask { await self.service.end(scan) } }
                if service.watch.bindings.hasSome { group.addTask { await self.keepBindings() } }
                service.repeatQuieted()
                if service.hasAdoptions { group.addTask { await self.service.readAdopted() } }
                let now = service.environment.clock.now
                let next =
                    [nextDue, service.cache.nextOverdue, now + Self.tickInterval].compactMap(\.self).min() ?? now
                do {
                    try await service.environment.clock.sleep(until: max(next, now + Self.shortestPause))
                } catch { break }
            }
        }
    }

    /// Runs hinted checks at once, because people wait for them.
    private func followHints() async {
        await withDiscardingTaskGroup { group in
            for await _ in service.watch.schedule.urgent() {
                begin(in: &group)
                try? await service.environment.clock.sleep(until: service.environment.clock.now + Self.hintPause)
            }
        }
    }

    /// Begins the checks that are due, as far as ``concurrency`` allows.
    private func begin(in group: inout DiscardingTaskGroup) {
        let due = checksInProgress.withLock { count in
            let due = takeDue(besides: count)
            count += due.count
            return due
        }
        for check in due {
            group.addTask {
                await self.check(check)
                self.checksInProgress.withLock { $0 -= 1 }
            }
        }
    }

    /// Takes the checks that are due, as far as ``concurrency`` allows, and wakes overdue parked polls.
    package func tick() -> [DueCheck] {
        wakeOverdue()
        return takeDue(besides: checksInProgress.withLock { $0 })
    }

    private func wakeOverdue() {
        service.cache.wakeOverdue(at: service.environment.clock.now, limit: Self.wakesPerTick)
    }

    private func takeDue(besides count: Int) -> [DueCheck] {
        let concurrency = concurrency
        return count < concurrency
            ? service.watch.schedule.takeDue(at: service.environment.clock.now, limit: concurrency - count) : []
    }

    /// The time of the next check on the schedule.
    package var nextDue: Uptime? { service.watch.schedule.nextDue }

    /// Cancels orphaned scans, at most ``OrphanedScans/concurrency`` of them.
    ///
    /// Tests in virtual time call it themselves.
    package func endOrphanedScans() async {
        for scan in service.providers.orphanedScans.take() { await service.end(scan) }
    }

    /// Writes the bindings that polls made to the database.
    ///
    /// Tests in virtual time call it themselves.
    ///
    /// - Parameter isLast: Whether to write even shortly after a failed write.
    package func keepBindings(isLast: Bool = false) async { await service.keepBindings(isLast: isLast) }

    /// Runs one check: expires an overdue operation, or checks the scan of a pending one, and plans the next check.
    package func check(_ check: DueCheck) async {
        service.reports.metrics.checkBegan(late: service.environment.clock.now - check.due)
        if service.cache.card(check.operation) == nil { await service.settle(check.operation) }
        if let card = service.cache.card(check.operation), service.isDoubtful(card) {
            await service.readAgain(card.operation)
        }
        guard let card = service.cache.card(check.operation) else { return }
        let operation = card.operation
        do {
            if operation.state.isTerminal {
                retire(operation)
            } else if !service.watch.ownership.includes(operation) {
                try await service.catchUp(operation)
            } else if !service.ports.nodes.isLeaseHeld {
                // Another daemon may follow the operation by now.
                service.watch.schedule.plan(check.operation, at: service.environment.clock.now + Self.leasePause)
            } else if case .pending(let scan) = operation.state, service.clock.now < operation.validity.deadline {
                try await checkScan(scan, of: operation)
            } else {
                try await service.expire(operation)
                planAgain(check.operation, after: operation)
            }
        } catch {
            service.reports.logger.warning(
                "an operation could not be followed: it is tried again",
                metadata: operation.logged(["cause": "\(error)"])
            )
            service.watch.schedule.plan(check.operation, at: service.environment.clock.now + .milliseconds(500))
        }
    }

    private func checkScan(_ scan: Scan, of operation: Operation) async throws {
        guard let turn = scanChecks.enter(operation.credentials.publicID) else {
            // A returning client brought this check forward while another check is in progress, which plans the next
            // one.
            service.watch.schedule.planIfNone(
                operation.credentials.publicID,
                at: service.clock.uptime(of: operation.validity.deadline)
            )
            return
        }
        defer { scanChecks.leave(turn) }
        guard let provider = service.providers[operation.provider],
            let slot = enter(provider, for: scan, of: operation)
        else {
            return service.watch.schedule.planSoon(
                operation.credentials.publicID,
                before: service.clock.uptime(of: operation.validity.deadline),
                uptime: service.environment.clock.now,
                jitter: service.environment.unitInterval()
            )
        }
        defer { leave(provider, slot) }
        service.watch.schedule.checkBegins(operation.credentials.publicID)
        // However long the answer takes, the deadline is kept.
        service.watch.schedule.plan(
            operation.credentials.publicID,
            at: service.clock.uptime(of: operation.validity.deadline)
        )
        var wasHeldBack = false
        do {
            let status = try await provider.check(scan.reference, as: slot)
            let judged = judge(status, of: scan, for: operation)
            note(status, for: operation)
            try await service.observe(judged, of: scan.reference, for: operation)
        } catch let failure as ProviderError {
            if case .heldBack = failure { wasHeldBack = true }
            note(failure, of: scan, for: operation)
        }
        planAgain(operation.credentials.publicID, after: operation, wasHeldBack: wasHeldBack)
    }

    private func judge(_ status: ScanStatus, of scan: Scan, for operation: Operation) -> ScanStatus {
        withPatience(with: scan, of: operation) { $0.judge(status, of: scan, at: service.clock.now) }
    }

    private func withPatience<Value: Sendable>(
        with scan: Scan,
        of operation: Operation,
        _ body: (inout ScanPatience) -> Value
    ) -> Value {
        patience.withLock { all in
            var patience = all[operation.credentials.publicID] ?? ScanPatience(reference: scan.reference)
            defer { all[operation.credentials.publicID] = patience }
            return body(&patience)
        }
    }

    /// Notes an answer, where nonsense counts as silence.
    private func note(_ status: ScanStatus, for operation: Operation) {
        let isReadable = status != .nonsense && status != .unrecognised
        keep(isReadable ? .answered : .unreadable, status.auditDetail, about: operation)
        switch status {
        case .nonsense:
            service.noteUnreachable(operation.provider)
            service.cache.note(.failed, about: operation.credentials.publicID)
            service.noteUnreadable(status, operation)
        case .unrecognised:
            service.noteReachable(operation.provider)
            service.cache.note(.answered, about: operation.credentials.publicID)
            service.noteUnreadable(status, operation)
        case .pending, .approved, .rejected, .expired, .canceled, .broken, .unknownReference:
            service.noteReachable(operation.provider)
            service.cache.note(.answered, about: operation.credentials.publicID)
        }
    }

    private func note(_ failure: ProviderError, of scan: Scan, for operation: Operation) {
        let cause: String
        switch failure {
        case .unavailable(let text), .unreached(let text):
            cause = text
            withPatience(with: scan, of: operation) { $0.noteSilence(of: scan) }
            keep(.silent, text, about: operation)
            service.noteUnreachable(operation.provider)
            service.cache.note(.failed, about: operation.credentials.publicID)
        case .heldBack(let text):
            keep(.heldBack, text, about: operation)
            // An outage causes thousands of these a second, and its cause is logged already.
            service.noteHeldBack(operation.provider)
            service.cache.note(.failed, about: operation.credentials.publicID)
            return service.reports.logger.debug(
                "a check was held back",
                metadata: operation.logged(["cause": "\(text)"])
            )
        case .refused(let text):
            // The provider answered, so this is not an outage. The answer says nothing about the person either.
            cause = text
            keep(.refused, text, about: operation)
            service.cache.note(.failed, about: operation.credentials.publicID)
        }
        service.reports.logger.warning(
            "a check of a scan failed: it is tried again",
            metadata: operation.logged(["cause": "\(cause)"])
        )
    }

    private func keep(_ outcome: ProviderExchange.Outcome, _ detail: String, about operation: Operation) {
        service.keep(outcome, detail, of: operation.provider, about: operation.credentials.publicID)
    }

    /// Plans the next check of the cached version, in place of any earlier plan.
    private func planAgain(_ publicID: Digest256, after before: Operation, wasHeldBack: Bool = false) {
        guard let card = service.cache.card(publicID) else { return }
        let current = card.operation
        if current.seq == before.seq, current.isOver(at: service.clock.now) {
            // The expiry was refused or lost a race, so the next check follows shortly instead of at once.
            service.watch.schedule.plan(publicID, at: service.environment.clock.now + .milliseconds(50))
            return
        }
        let now = service.environment.clock.now
        service.watch.schedule.plan(
            current,
            clock: service.clock,
            uptime: now,
            lastPoll: service.cache.lastPoll(publicID, now: now),
            jitter: service.environment.unitInterval(),
            wasHeldBack: wasHeldBack,
            isDoubtful: card.lastContact == .failed
        )
    }

    private func retire(_ operation: Operation) {
        patience.withLock { _ = $0.removeValue(forKey: operation.credentials.publicID) }
        let leaves = (operation.state.endedAt ?? service.clock.now) + OperationCache.terminalStay
        if service.clock.now >= leaves {
            service.cache.remove(operation.credentials.publicID)
        } else {
            service.watch.schedule.plan(operation.credentials.publicID, at: service.clock.uptime(of: leaves))
        }
    }

    /// Returns a slot of the provider for a check of the scan; `nil` if none is free for it.
    private func enter(_ provider: any FaceProvider, for scan: Scan, of operation: Operation) -> CheckTurn? {
        let cadence = service.watch.schedule.cadence
        let isDoubtful = service.cache.card(operation.credentials.publicID)?.lastContact == .failed
        let isFinal = cadence.isFinal(operation.validity.deadline - service.clock.now, isDoubtful: isDoubtful)
        let isSuspect = withPatience(with: scan, of: operation) { $0.isSuspect }
        // A check that hangs must end before the last checks begin. Those are short, and a verdict that comes after the
        // deadline is recorded.
        let rescue = service.clock.uptime(of: operation.validity.deadline - cadence.rescueLead)
        let last = service.clock.uptime(of: operation.validity.deadline)
        let end = isFinal ? last : max(rescue, service.environment.clock.now + Self.shortestCheck)
        return slots.withLock { all in
            var slots = all[provider.name] ?? CheckSlots(total: 0)
            // It changes with the number of daemons.
            slots.resize(to: provider.checkConcurrency)
            defer { all[provider.name] = slots }
            return slots.enter(isSuspect: isSuspect, isFinal: isFinal, end: end)
        }
    }

    private func leave(_ provider: any FaceProvider, _ turn: CheckTurn) {
        slots.withLock { _ = $0[provider.name]?.leave(turn) }
    }
}

extension Operation {
    /// Whether the deadline or time window of the operation's state has passed.
    fileprivate func isOver(at now: Instant) -> Bool {
        switch state {
        case .created, .opened, .pending: now >= validity.deadline
        case .approved(let approval): now >= approval.at + request.policy.timing.approvalWindow
        case .redeemed(let grant): now >= grant.redeemedAt + request.policy.timing.redemptionWindow
        case .closed, .failed: false
        }
    }
}
