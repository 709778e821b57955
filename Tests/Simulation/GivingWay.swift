import Kernel
import MemoryStore
import Synchronization

@testable import Operations

extension History {
    /// Whether the poll that has just parked was let in; who had to give way to it did so, and nobody else.
    func isLetIn(_ newcomer: ModelWaiter) async -> Bool {
        let listed = waiters.filter {
            $0.index == newcomer.index && $0.daemon == newcomer.daemon && isListed($0)
        }
        let (released, isLetIn) = Self.givingWay(to: newcomer, among: listed)
        waiters.removeAll { waiter in released.contains { $0.awakening === waiter.awakening } }
        for waiter in released {
            await expect(.gaveWay, of: waiter, or: "a parked poll did not give way")
            if waiter.isProven, !newcomer.isProven { fail("a caller with proof gave way to one without") }
        }
        census.released += released.count
        if !isLetIn {
            census.turnedAway += 1
            await expect(.gaveWay, of: newcomer, or: "an outsider was let in among sixteen with proof")
        }
        let publicID = newcomer.operation.credentials.publicID
        let count = service.cache.shard(publicID).entries.withLock { $0[publicID]?.waiters.count }
        let expected = listed.count - released.count + (isLetIn ? 1 : 0)
        if count != expected { fail("\(count ?? 0) polls wait for operation \(newcomer.index), not \(expected)") }
        if expected > 16 { fail("\(expected) polls wait for one operation") }
        return isLetIn
    }

    /// The promises of operations to waiters, in order of their coming.
    ///
    /// A caller waits once, and sixteen wait at most. A waiter with proof never gives way to one without.
    private static func givingWay(
        to newcomer: ModelWaiter,
        among listed: [ModelWaiter]
    ) -> (released: [ModelWaiter], isLetIn: Bool) {
        let own = listed.filter(newcomer.isSameCaller)
        let others = listed.filter { !newcomer.isSameCaller(as: $0) }
        guard others.count >= 16 else { return (own, true) }
        if let outsider = others.first(where: { !$0.isProven }) { return (own + [outsider], true) }
        return newcomer.isProven ? (own + others.prefix(1), true) : (own, false)
    }
}
