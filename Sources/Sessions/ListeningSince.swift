package import Kernel
import Synchronization

/// The time since which the server takes requests.
///
/// Nobody could ask for anything before, so that no grace period runs out meanwhile.
package final class ListeningSince: Sendable {
    private let began: Mutex<Instant>

    /// - Parameter startedAt: The start of the process, which counts until ``begin(at:)``.
    package init(startedAt: Instant) { began = Mutex(startedAt) }

    /// The server listens.
    package func begin(at now: Instant) { began.withLock { $0 = now } }

    package var instant: Instant { began.withLock { $0 } }
}
