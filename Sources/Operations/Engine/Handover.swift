import Synchronization

/// Carries one value out of a closure that may run on another thread.
final class Handover<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    func put(_ new: Value) { value.withLock { $0 = new } }

    /// Removes and returns the value.
    func take() -> Value? { value.withLock { $0.take() } }
}
