package import Kernel
import Synchronization

/// Since when the server takes requests: nobody could ask for anything before, so that no grace runs out meanwhile.
package final class ListeningSince: Sendable {
    private let began: Mutex<Instant>

    /// `startedAt`: when the process began, which counts until ``begin(at:)``.
    package init(startedAt: Instant) { began = Mutex(startedAt) }

    /// The server listens.
    package func begin(at now: Instant) { began.withLock { $0 = now } }

    package var instant: Instant { began.withLock { $0 } }
}
