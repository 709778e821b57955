import HeapModule
package import Kernel
import Synchronization

/// How often a provider is asked for a scan's status.
package struct WatchCadence: Sendable, Equatable {
    /// The interval of checks while a client is waiting.
    package var hot: Duration
    /// The interval of checks while no client is waiting.
    package var cold: Duration
    /// How long after its last poll a client still counts as waiting.
    package let hotFor: Duration
    /// The time from the last check to the deadline, in which its answer still counts.
    package let finalLead: Duration
    /// The time before the deadline in which a scan whose last check failed is checked repeatedly.
    package let rescueLead: Duration
    /// The interval of those repeated checks.
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

    /// Whether a check at this time is one of the last before the deadline.
    func isFinal(_ timeLeft: Duration, isDoubtful: Bool) -> Bool {
        timeLeft <= (isDoubtful ? max(rescueLead, finalLead) : finalLead)
    }
}

/// A planned check of an operation.
package struct DueCheck: Sendable, Equatable {
    package let operation: Digest256
    package let due: Uptime
}

/// The next check of each operation: a heap of checks by monotonic time, with one valid check per operation.
package final class WatchSchedule: Sendable {
    package let cadence: WatchCadence
    private let state = Mutex(State())

    package init(cadence: WatchCadence) { self.cadence = cadence }

    /// Plans the operation's next check, and replaces an earlier plan.
    ///
    /// `jitter`: A value in `0 ..< 1` that spreads checks over a fifth of their interval. After a check that was held
    /// back, it spreads them over the whole interval. Thousands of checks may have been held back together, and must
    /// not return together.
    ///
    /// `isDoubtful`: Whether the last check failed.
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
        guard case .pending = operation.state else { return plan(operation.credentials.publicID, at: due) }
        if isDoubtful {
            let deadline = clock.uptime(of: operation.validity.deadline)
            let first = clock.uptime(of: operation.validity.deadline - cadence.rescueLead)
            let again = uptime + cadence.rescue * spread
            // The provider may come back at any moment of the last seconds: one check in them is not enough.
            due = uptime < first ? min(due, first) : again + Self.shortestCall < deadline ? again : deadline
        }
        state.withLock { state in
            // A hint that came while the provider was being asked may be newer than its answer.
            state.insert(
                operation.credentials.publicID,
                min(due, state.hints.waiting(operation.credentials.publicID) ?? due)
            )
        }
    }

    /// Plans a check at `due`, and replaces an earlier plan.
    package func plan(_ operation: Digest256, at due: Uptime) {
        state.withLock { state in
            state.insert(operation, due)
        }
    }

    /// Plans a check soon, after it got no slot, with jitter that separates it from others without one.
    package func planSoon(_ operation: Digest256, before deadline: Uptime, uptime: Uptime, jitter: Double) {
        state.withLock { state in
            // A hinted operation must not wait longer than the interval between two hinted checks.
            let isHinted = state.hints.waiting(operation) != nil
            let interval = isHinted ? min(cadence.hot, WebhookHints.interval) : cadence.hot
            state.insert(operation, min(deadline, uptime + interval * (0.05 + 0.95 * jitter)))
        }
    }

    /// Plans a check at `due`, unless one is planned already.
    package func planIfNone(_ operation: Digest256, at due: Uptime) {
        state.withLock { state in
            guard state.planned[operation.prefixWord] == nil else { return }
            state.insert(operation, due)
        }
    }

    /// Brings a check forward when a client has begun to wait.
    package func expedite(_ operation: Digest256, to due: Uptime) {
        state.withLock { state in
            guard let planned = state.planned[operation.prefixWord], planned > due else { return }
            state.insert(operation, due)
        }
    }

    /// Brings a check forward after a provider's hint.
    ///
    /// The check comes at least ``WebhookHints/interval`` after the previous hinted one.
    ///
    /// - Returns: `false` if an earlier hint has already brought a check forward.
    package func hint(_ operation: Digest256, at now: Uptime) -> Bool {
        state.withLock { state in
            guard let due = state.hints.note(operation, at: now) else { return false }
            if let planned = state.planned[operation.prefixWord], planned > due {
                state.insert(operation, due)
                if due <= now { state.urgent?.yield() }
            }
            return true
        }
    }

    /// Returns a stream with an element at the start, and at least one after each hint that makes a check due at once.
    ///
    /// Only the latest stream gets elements.
    package func urgent() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield()
        state.withLock { state in
            state.urgent?.finish()
            state.urgent = continuation
        }
        return stream
    }

    /// Notes that a check of the operation begins, which covers all earlier hints.
    package func checkBegins(_ operation: Digest256) {
        state.withLock { $0.hints.beginCheck(of: operation) }
    }

    /// The number of operations with hints.
    package var hintCount: Int { state.withLock(\.hints.count) }

    /// Takes up to `limit` checks that are due.
    package func takeDue(at now: Uptime, limit: Int) -> [DueCheck] {
        state.withLock { state in
            var checks: [DueCheck] = []
            while checks.count < limit, let first = state.heap.min, first.due <= now {
                state.heap.removeMin()
                // A newer plan has replaced this item.
                guard state.isPlanned(first) else { continue }
                state.planned[first.operation.prefixWord] = nil
                checks.append(DueCheck(operation: first.operation, due: first.due))
            }
            return checks
        }
    }

    /// The time of the next check, possibly of a replaced one.
    package var nextDue: Uptime? { state.withLock { $0.heap.min?.due } }

    /// Returns how long the oldest check that is due has been waiting for its turn; `nil` if none is due.
    package func oldestOverdue(at now: Uptime) -> Duration? {
        state.withLock { state in
            // Items that a newer plan has replaced are nobody's check.
            while let first = state.heap.min, !state.isPlanned(first) { state.heap.removeMin() }
            guard let due = state.heap.min?.due, due < now else { return nil }
            return now - due
        }
    }

    /// Returns the time of the operation's next check.
    package func due(_ operation: Digest256) -> Uptime? { state.withLock { $0.planned[operation.prefixWord] } }

    /// The number of operations with a planned check.
    package var count: Int { state.withLock { $0.planned.count } }

    /// The number of items in the heap, including replaced ones.
    var heapCount: Int { state.withLock(\.heap.count) }

    private func nextCheck(
        of operation: Operation,
        clock: EngineClock,
        uptime: Uptime,
        lastPoll: Uptime?,
        spread: Double
    ) -> Uptime {
        let policy = operation.request.policy
        switch operation.state {
        case .created, .opened: return clock.uptime(of: operation.validity.deadline)
        case .pending:
            let isHot = lastPoll.map { uptime - $0 < cadence.hotFor } ?? false
            let interval = isHot ? cadence.hot : cadence.cold
            let check = uptime + interval * spread
            let deadline = clock.uptime(of: operation.validity.deadline)
            let final = clock.uptime(of: operation.validity.deadline - cadence.finalLead)
            if uptime >= final { return deadline }
            return min(check, final)
        case .approved(let approval): return clock.uptime(of: approval.at + policy.timing.approvalWindow)
        case .redeemed(let grant): return clock.uptime(of: grant.redeemedAt + policy.timing.redemptionWindow)
        case .closed(let closure): return clock.uptime(of: closure.at + OperationCache.terminalStay)
        case .failed(_, let at): return clock.uptime(of: at + OperationCache.terminalStay)
        }
    }

    /// The shortest time between a check's start and the deadline, because a later check is answered too late.
    private static let shortestCall: Duration = .milliseconds(200)

    private struct State {
        var heap = Heap<Item>()
        /// The time of each operation's valid check, by the first word of its id: 16 bytes a place instead of 40.
        ///
        /// The ids are digests of random values. Of two with the same first word, one check would replace the other. With
        /// 100,000 live logins and 100 million a day, that is expected once in 5,000 years.
        var planned: [UInt64: Uptime] = [:]
        var hints = WebhookHints()
        var urgent: AsyncStream<Void>.Continuation?

        /// Replaced items stay in the heap until they are due, or until they outnumber the plans by 1,024.
        mutating func insert(_ operation: Digest256, _ due: Uptime) {
            planned[operation.prefixWord] = due
            heap.insert(Item(due: due, operation: operation))
            guard heap.count > 2 * planned.count + 1024 else { return }
            // Two items of one operation may have the same time, and become one.
            heap = Heap(Set(heap.unordered.filter(isPlanned)))
        }

        /// Whether no newer plan has replaced the item.
        func isPlanned(_ item: Item) -> Bool { planned[item.operation.prefixWord] == item.due }
    }

    private struct Item: Comparable, Hashable {
        let due: Uptime
        let operation: Digest256

        /// Checks that are due at the same time have an order too, so that the same events always lead to the same checks.
        static func < (left: Self, right: Self) -> Bool {
            left.due == right.due
                ? left.operation.prefixWord < right.operation.prefixWord : left.due < right.due
        }
    }
}
