import Synchronization

/// Admits one task per key; a task that arrives while another is inside is turned away.
final class SingleEntry<Key: Hashable & Sendable>: Sendable {
    private let inside = Mutex<Set<Key>>([])

    /// Returns the right to be inside, to be given back with ``leave(_:)``; `nil` if another task is inside.
    func enter(_ key: Key) -> Key? { inside.withLock { $0.insert(key).inserted } ? key : nil }

    func leave(_ key: Key) { inside.withLock { _ = $0.remove(key) } }
}
