package import Operations
import Synchronization

/// The state of a daemon that stops, which is switched twice.
///
/// `announce()` first tells load balancers. Then `drain()` answers all parked polls, and later polls no longer park.
package final class DrainSwitch: Sendable {
    private let cache: OperationCache
    private let announced = Atomic<Bool>(false)
    private let draining = Atomic<Bool>(false)

    package init(cache: OperationCache) { self.cache = cache }

    /// Whether requests should go to another server: `/readyz` then fails, and each answer closes its connection.
    package var isAnnounced: Bool { announced.load(ordering: .acquiring) }

    package var isDraining: Bool { draining.load(ordering: .acquiring) }

    package func announce() { announced.store(true, ordering: .releasing) }

    package func drain() {
        announce()
        draining.store(true, ordering: .releasing)
        cache.wakeAll()
    }
}
