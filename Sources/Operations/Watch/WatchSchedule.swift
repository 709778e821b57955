import HeapModule
package import Kernel
import Synchronization

/// How often a provider is asked about a scan.
package struct WatchCadence: Sendable, Equatable {
    /// While a client is waiting.
    package let hot: Duration
    /// While none is.
    package let cold: Duration
    /// How long after its last poll a client still counts as waiting.
    package let hotFor: Duration
    /// The last check starts this long before the deadline, so that its answer can still count.
    package let finalLead: Duration
    /// A scan whose last check was not answered is asked about again and again from this long before the deadline on.
    package let rescueLead: Duration
    /// How often then.
    package let rescue: Duration

    package init(
        hot: Duration = .seconds(1),
        cold: Duration = .seconds(5),
        hotFor: Duration = .seconds(6),
        finalLead: Duration = .milliseconds(1500),
        rescueLead: Duration = .seconds(5),
        rescue: Duration = .seconds(1)
    ) {
        self.hot = hot
        self.cold = cold
        self.hotFor = hotFor
        self.finalLead = finalLead
        self.rescueLead = rescueLead
        self.rescue = rescue
    }

    /// Whether a check now is one of the last before the deadline.
    func isFinal(_ timeLeft: Duration, isDoubtful: Bool) -> Bool {
        timeLeft <= (isDoubtful ? max(rescueLead, finalLead) : finalLead)
    }
}

/// A visit that an operation is due for.
package struct DueCheck: Sendable, Equatable {
    package let operation: Digest256
    package let due: Uptime
}

/// When each operation is to be looked at next: a heap of due visits in monotonic time, one live visit an operation.
package final class WatchSchedule: Sendable {
    package let cadence: WatchCadence
    private let state = Mutex(State())

    package init(cadence: WatchCadence) { self.cadence = cadence }

    /// Plans the operation's next visit and forgets an earlier plan.
    ///
    /// `jitter` in `0 ..< 1` spreads checks over a fifth of their interval, and over the whole of it after one that was
    /// held back: thousands were at that moment, and must not come back together. `isDoubtful`: the last check was not
    /// answered.
    package func plan(
        _ operation: Operation,
        clock: EngineClock,
        uptime: Uptime,
        lastPoll: Uptime?,
        jitter: Double,
        wasHeldBack: Bool = false,
        isDoubtful: Bool = false
    ) {
        let spread = wasHeldBack ? 0.5 + jitter : 0.9 + 0.2 * jitter
        var due = nextCheck(of: operation, clock: clock, uptime: uptime, lastPoll: lastPoll, spread: spread)
        guard case .pending = operation.state else { return plan(operation.publicID, at: due) }
        if isDoubtful {
            let deadline = clock.uptime(of: operation.deadline)
            let first = clock.uptime(of: operation.deadline - cadence.rescueLead)
            let again = uptime + cadence.rescue * spread
            // The provider may come back at any moment of the last seconds: one check in them is not enough.
            due = uptime < first ? min(due, first) : again + Self.shortestCall < deadline ? again : deadline
        }
        state.withLock { state in
            // A hint that came while the provider was being asked may be newer than its answer.
            state.insert(operation.publicID, min(due, state.hints.waiting(operation.publicID) ?? due))
        }
    }

    /// Plans a visit at that time and forgets an earlier plan.
    package func plan(_ operation: Digest256, at due: Uptime) {
        state.withLock { state in
            state.insert(operation, due)
        }
    }

    /// Plans a visit soon: there was no room for this one, nor was there for many others.
    package func planSoon(_ operation: Digest256, before deadline: Uptime, uptime: Uptime, jitter: Double) {
        state.withLock { state in
            // Whoever was told that there is news is not to wait longer for it than two such checks are apart.
            let isHinted = state.hints.waiting(operation) != nil
            let interval = isHinted ? min(cadence.hot, WebhookHints.interval) : cadence.hot
            state.insert(operation, min(deadline, uptime + interval * (0.05 + 0.95 * jitter)))
        }
    }

    /// Plans a visit at that time where none is planned.
    package func planIfNone(_ operation: Digest256, at due: Uptime) {
        state.withLock { state in
            guard state.planned[operation] == nil else { return }
            state.insert(operation, due)
        }
    }

    /// Brings a check forward when a client has begun to wait.
    package func expedite(_ operation: Digest256, to due: Uptime) {
        state.withLock { state in
            guard let planned = state.planned[operation], planned > due else { return }
            state.insert(operation, due)
        }
    }

    /// The provider says that there is news: brings the check forward, yet never lets two follow one another in less
    /// than ``WebhookHints/interval``.
    ///
    /// Returns `false` when one is due by then anyhow because of an earlier hint.
    package func hint(_ operation: Digest256, at now: Uptime) -> Bool {
        state.withLock { state in
            guard let due = state.hints.note(operation, at: now) else { return false }
            if let planned = state.planned[operation], planned > due {
                state.insert(operation, due)
                if due <= now { state.urgent?.yield() }
            }
            return true
        }
    }

    /// Says that hints have made visits due: once to begin with, and at least once after each hint; for the one that
    /// listens last.
    package func urgent() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield()
        state.withLock { state in
            state.urgent?.finish()
            state.urgent = continuation
        }
        return stream
    }

    /// A check of the operation begins: hints that came before it are heeded by it.
    package func checkBegins(_ operation: Digest256) {
        state.withLock { $0.hints.heed(operation) }
    }

    /// How many operations hints are kept of.
    package var hintCount: Int { state.withLock(\.hints.count) }

    /// Takes out up to `limit` visits that are due.
    package func takeDue(at now: Uptime, limit: Int) -> [DueCheck] {
        state.withLock { state in
            var checks: [DueCheck] = []
            while checks.count < limit, let first = state.heap.min, first.due <= now {
                state.heap.removeMin()
                // An item that a newer plan has overtaken is stale.
                guard state.planned[first.operation] == first.due else { continue }
                state.planned[first.operation] = nil
                checks.append(DueCheck(operation: first.operation, due: first.due))
            }
            return checks
        }
    }

    /// When the next visit is due.
    package var nextDue: Uptime? { state.withLock { $0.heap.min?.due } }

    /// When that operation is looked at next.
    package func due(_ operation: Digest256) -> Uptime? { state.withLock { $0.planned[operation] } }

    /// How many operations have a visit planned.
    package var count: Int { state.withLock { $0.planned.count } }

    /// How many items the heap holds, stale ones with them.
    var heapCount: Int { state.withLock(\.heap.count) }

    private func nextCheck(
        of operation: Operation,
        clock: EngineClock,
        uptime: Uptime,
        lastPoll: Uptime?,
        spread: Double
    ) -> Uptime {
        let policy = operation.policy
        switch operation.state {
        case .created, .opened: return clock.uptime(of: operation.deadline)
        case .pending:
            let isHot = lastPoll.map { uptime - $0 < cadence.hotFor } ?? false
            let interval = isHot ? cadence.hot : cadence.cold
            let check = uptime + interval * spread
            let deadline = clock.uptime(of: operation.deadline)
            let final = clock.uptime(of: operation.deadline - cadence.finalLead)
            if uptime >= final { return deadline }
            return min(check, final)
        case .approved(let approval): return clock.uptime(of: approval.at + policy.approvalWindow)
        case .redeemed(let grant): return clock.uptime(of: grant.redeemedAt + policy.redemptionWindow)
        case .closed(let closure): return clock.uptime(of: closure.at + OperationCache.terminalStay)
        case .failed(_, let at): return clock.uptime(of: at + OperationCache.terminalStay)
        }
    }

    /// No check begins later than this before the deadline: its answer would come too late.
    private static let shortestCall: Duration = .milliseconds(200)

    private struct State {
        var heap = Heap<Item>()
        var planned: [Digest256: Uptime] = [:]
        var hints = WebhookHints()
        var urgent: AsyncStream<Void>.Continuation?

        /// Stale items lie in the heap until they are due; before they outnumber the plans they are thrown out.
        mutating func insert(_ operation: Digest256, _ due: Uptime) {
            planned[operation] = due
            heap.insert(Item(due: due, operation: operation))
            guard heap.count > 2 * planned.count + 1024 else { return }
            heap = Heap(planned.map { Item(due: $0.value, operation: $0.key) })
        }
    }

    private struct Item: Comparable {
        let due: Uptime
        let operation: Digest256

        static func < (left: Self, right: Self) -> Bool { left.due < right.due }
    }
}
