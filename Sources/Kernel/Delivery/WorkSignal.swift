import Synchronization

/// Tells a worker that there is something new.
package final class WorkSignal: Sendable {
    private let isRaised = Mutex(false)

    package init() {}

    package func raise() { isRaised.withLock { $0 = true } }

    /// Returns whether it was raised since the last look.
    package func take() -> Bool {
        isRaised.withLock { isRaised in
            defer { isRaised = false }
            return isRaised
        }
    }
}
