import Synchronization

/// Admits one task per key, and refuses a second until the first has left.
final class SingleEntry<Key: Hashable & Sendable>: Sendable {
    private let inside = Mutex<Set<Key>>([])

    /// Returns the key, to be passed to ``leave(_:)``; `nil` if another task has entered with it.
    func enter(_ key: Key) -> Key? { inside.withLock { $0.insert(key).inserted } ? key : nil }

    func leave(_ key: Key) { inside.withLock { _ = $0.remove(key) } }
}
