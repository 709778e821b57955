package import Kernel
import Synchronization

/// The uses of limits that several daemons count together, in memory and in virtual time.
package final class MemorySharedUses: SharedUses {
    fileprivate struct State {
        var paidUntil: [UInt64: Uptime] = [:]
        var statements = 0
        var failure: StoreError?
    }

    private let clock: any MonotonicClock
    private let state = Mutex(State())

    package init(clock: any MonotonicClock) { self.clock = clock }

    /// The number of calls.
    package var statements: Int { state.withLock(\.statements) }

    /// The number of keys that were ever used.
    package var keys: Int { state.withLock(\.paidUntil.count) }

    /// Lets each further call throw the error; `nil` ends that.
    package func fail(with failure: StoreError?) { state.withLock { $0.failure = failure } }

    package func take(_ key: UInt64, _ limit: RateLimit) async throws(StoreError) -> Duration? {
        try call { state, now in
            let paid = state.paid(key, at: now)
            if let wait = limit.wait(paidFor: paid) { return wait }
            state.paidUntil[key] = now + paid + limit.period
            return nil
        }
    }

    package func giveBack(_ key: UInt64, _ limit: RateLimit) async throws(StoreError) {
        try call { state, now in
            if let end = state.paidUntil[key] { state.paidUntil[key] = end + (.zero - limit.period) }
        }
    }

    package func mark(_ key: UInt64, for time: Duration) async throws(StoreError) {
        try call { state, now in state.paidUntil[key] = now + max(time, state.paid(key, at: now)) }
    }

    package func paid(_ keys: [UInt64]) async throws(StoreError) -> [UInt64: Duration] {
        try call { state, now in
            Dictionary(keys.map { ($0, state.paid($0, at: now)) }, uniquingKeysWith: { first, _ in first })
        }
    }

    private func call<T: Sendable>(_ body: (inout State, Uptime) -> T) throws(StoreError) -> T {
        let now = clock.now
        let outcome = state.withLock { state -> Result<T, StoreError> in
            state.statements += 1
            if let failure = state.failure { return .failure(failure) }
            return .success(body(&state, now))
        }
        return try outcome.get()
    }
}

extension MemorySharedUses.State {
    fileprivate func paid(_ key: UInt64, at now: Uptime) -> Duration {
        paidUntil[key].map { max(.zero, $0 - now) } ?? .zero
    }
}

/// A daemon that sees as many daemons as the test says.
package final class CountedPeers: NodeMembership {
    private let daemons: Mutex<Int>

    package init(_ count: Int) { daemons = Mutex(count) }

    package var count: Int {
        get { daemons.withLock(\.self) }
        set { daemons.withLock { $0 = newValue } }
    }

    package var node: NodeName { .first }
    package var isShared: Bool { true }
    package var isLeaseHeld: Bool { true }
    package var adopted: Set<NodeName> { [] }
    package var peers: Peers { Peers(count: count) }
}
