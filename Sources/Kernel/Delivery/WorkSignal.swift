import Synchronization

/// Tells a worker that there may be new work.
package final class WorkSignal: Sendable {
    private let isRaised = Mutex(false)

    package init() {}

    package func raise() { isRaised.withLock { $0 = true } }

    /// Returns whether the signal was raised since the last call, and lowers it.
    package func take() -> Bool {
        isRaised.withLock { isRaised in
            defer { isRaised = false }
            return isRaised
        }
    }
}
