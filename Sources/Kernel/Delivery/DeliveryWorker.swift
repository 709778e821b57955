import Synchronization

/// Delivers a queue's payloads in the background: no request waits for it.
///
/// A payload is claimed under a lease, handed to its transport, and settled. It is delivered once, unless the process
/// dies between the recipient's acceptance and the settlement.
package final class DeliveryWorker<Queue: DeliveryQueue>: Sendable {
    package let queue: Queue
    package let environment: Environment
    private let policy: DeliveryPolicy
    private let state: Mutex<State>

    private struct State {
        var inProgress = 0
        var inProgressOf: [String: Int] = [:]
        /// The groups whose last delivery failed.
        var failing: Set<String> = []
        /// The time of the next claim, whether the signal is raised or not.
        var nextLook: Uptime

        mutating func begin(_ group: String) { inProgressOf[group, default: 0] += 1 }

        mutating func end(_ group: String) {
            let left = (inProgressOf[group] ?? 0) - 1
            inProgressOf[group] = left > 0 ? left : nil
        }

        mutating func note(_ settlement: DeliverySettlement<Queue.Failure>, of group: String) {
            switch settlement {
            case .putOff: failing.insert(group)
            // What expired is not tried again. Its group may be well when the next payload comes, days later.
            case .delivered, .refused, .expired: failing.remove(group)
            }
        }
    }

    package init(_ queue: Queue, policy: DeliveryPolicy, environment: Environment) {
        self.queue = queue
        self.policy = policy
        self.environment = environment
        state = Mutex(State(nextLook: environment.clock.now))
    }

    /// Delivers until the task is cancelled, and settles the deliveries in progress before it returns.
    package func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                for claimed in await claim() { group.addTask { await self.deliver(claimed) } }
                do { try await sleep(for: DeliveryPolicy.signalCheck) } catch { break }
            }
        }
    }

    /// Delivers the payloads that are due now, as far as capacity allows; returns their number.
    package func deliverDue() async -> Int {
        let due = await claim(isAsked: true)
        await withDiscardingTaskGroup { group in
            for claimed in due { group.addTask { await self.deliver(claimed) } }
        }
        return due.count
    }

    /// Delivers due payloads until none is due and none is in progress, or until `end`.
    package func deliverDue(until end: Uptime) async {
        while !Task.isCancelled, environment.clock.now < end {
            guard await deliverDue() == 0 else { continue }
            // ``run()`` may be delivering at the same time.
            guard state.withLock({ $0.inProgress > 0 }) else { return }
            do { try await sleep(for: DeliveryPolicy.signalCheck) } catch { return }
        }
    }

    /// A payload with the lease that it was claimed under.
    private struct Claimed: Sendable {
        let payload: Queue.Payload
        let lease: DeliveryLease
    }

    private func claim(isAsked: Bool = false) async -> [Claimed] {
        let uptime = environment.clock.now
        let isRaised = queue.signal.take() || isAsked
        let capacity = state.withLock { state -> DeliveryCapacity in
            let inAll = isRaised || uptime >= state.nextLook ? max(0, policy.concurrency - state.inProgress) : 0
            state.inProgress += inAll
            return DeliveryCapacity(
                inAll: inAll,
                perGroup: policy.concurrencyPerGroup,
                taken: state.inProgressOf,
                failing: state.failing,
                mostOfFailing: policy.concurrencyOfFailing
            )
        }
        guard capacity.inAll > 0 else {
            if isRaised { queue.signal.raise() }
            return []
        }
        let now = environment.now()
        let lease = DeliveryLease(token: environment.newUUID(), until: now + policy.leaseTime)
        do {
            let claim = try await queue.claim(lease, capacity: capacity, at: now)
            let pause = claim.nextDue.map { $0 - now } ?? DeliveryPolicy.longestRest
            state.withLock { state in
                for group in claim.payloads.compactMap(\.concurrencyGroup) { state.begin(group) }
                state.inProgress -= capacity.inAll - claim.payloads.count
                // Due payloads that stay queued wait for capacity: each delivery of this process that ends raises the
                // signal. Those for which another process had no capacity, or ended, are found after the rest.
                let rest = pause > .zero ? min(pause, DeliveryPolicy.longestRest) : DeliveryPolicy.pauseAfterFault
                state.nextLook = uptime + rest
            }
            return claim.payloads.map { Claimed(payload: $0, lease: lease) }
        } catch {
            // A read ends with its task, when the process stops.
            if !Task.isCancelled { queue.report(.unreadable(error)) }
            state.withLock { state in
                state.inProgress -= capacity.inAll
                state.nextLook = uptime + DeliveryPolicy.pauseAfterFault
            }
            return []
        }
    }

    private func deliver(_ claimed: Claimed) async {
        let settlement = await attempt(claimed.payload)
        queue.report(settlement, of: claimed.payload)
        await settle(claimed, as: settlement)
        state.withLock { state in
            state.inProgress -= 1
            if let group = claimed.payload.concurrencyGroup {
                state.end(group)
                state.note(settlement, of: group)
            }
        }
        // More payloads may be due than there was capacity for.
        queue.signal.raise()
    }

    private func attempt(_ payload: Queue.Payload) async -> DeliverySettlement<Queue.Failure> {
        guard environment.now() < payload.expiresAt, payload.attempts < policy.retries.maxAttempts else {
            return .expired
        }
        switch await queue.send(payload) {
        case .delivered: return .delivered
        case .refused(let failure): return .refused(failure)
        case .failed(let failure):
            let delay = policy.retries.delay(
                after: payload.attempts + 1,
                jitter: environment.unitInterval(),
                atMost: payload.longestDelay
            )
            return .putOff(to: min(environment.now() + delay, payload.expiresAt), failure)
        }
    }

    /// Writes the outcome of a payload, and retries until the lease ends: a delivered payload must not be sent again.
    private func settle(_ claimed: Claimed, as settlement: DeliverySettlement<Queue.Failure>) async {
        let (payload, lease) = (claimed.payload, claimed.lease)
        while true {
            do {
                let isOurs = try await queue.settle(payload, as: settlement, under: lease, at: environment.now())
                if !isOurs { queue.report(.late(payload)) }
                return
            } catch {
                queue.report(.unsettled(payload, error))
                guard environment.now() + DeliveryPolicy.pauseAfterFault < lease.until else { return }
                do { try await sleep(for: DeliveryPolicy.pauseAfterFault) } catch { return }
            }
        }
    }

    private func sleep(for pause: Duration) async throws {
        try await environment.clock.sleep(until: environment.clock.now + pause)
    }
}
