import Synchronization

/// Carries one value out of a closure that may run on another thread.
final class Handover<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    func put(_ new: Value) { value.withLock { $0 = new } }

    /// The value, which is then no longer here.
    func take() -> Value? { value.withLock { $0.take() } }
}
