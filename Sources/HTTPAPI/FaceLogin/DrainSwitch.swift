package import Operations
import Synchronization

/// Switched twice when the daemon stops: first load balancers are told, then parked polls are answered and none parks
/// any more.
package final class DrainSwitch: Sendable {
    private let cache: OperationCache
    private let announced = Atomic<Bool>(false)
    private let draining = Atomic<Bool>(false)

    package init(cache: OperationCache) { self.cache = cache }

    /// Whether requests should go to another server: `/readyz` says so, and each answer is the last of its connection.
    package var isAnnounced: Bool { announced.load(ordering: .acquiring) }

    package var isDraining: Bool { draining.load(ordering: .acquiring) }

    package func announce() { announced.store(true, ordering: .releasing) }

    package func drain() {
        announce()
        draining.store(true, ordering: .releasing)
        cache.wakeAll()
    }
}
