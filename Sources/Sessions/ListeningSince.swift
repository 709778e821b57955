package import Kernel
import Synchronization

/// The time since which the server accepts requests.
///
/// Nobody could send a request before, so that no grace period runs out while the server is down.
package final class ListeningSince: Sendable {
    private let began: Mutex<Instant>
    private let nodes: any NodeMembership

    /// - Parameters:
    ///   - startedAt: The start of the process, which counts until ``begin(at:)``.
    ///   - nodes: The daemons of the database: any of them accepts requests.
    package init(startedAt: Instant, nodes: any NodeMembership = SingleNode()) {
        began = Mutex(startedAt)
        self.nodes = nodes
    }

    /// Sets the time at which the server began to listen.
    package func begin(at now: Instant) { began.withLock { $0 = now } }

    package var instant: Instant {
        let own = began.withLock { $0 }
        return nodes.peers.servingSince.map { min(own, $0) } ?? own
    }
}
