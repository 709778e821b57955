package import Kernel
import Synchronization

/// The time since which the server accepts requests.
///
/// Nobody could send a request before, so that no grace period runs out while the server is down.
package final class ListeningSince: Sendable {
    private let began: Mutex<Instant>

    /// - Parameter startedAt: The start of the process, which counts until ``begin(at:)``.
    package init(startedAt: Instant) { began = Mutex(startedAt) }

    /// Sets the time at which the server began to listen.
    package func begin(at now: Instant) { began.withLock { $0 = now } }

    package var instant: Instant { began.withLock { $0 } }
}
