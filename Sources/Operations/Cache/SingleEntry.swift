import Synchronization

/// Lets one in per key: who comes while another is inside is turned away.
final class SingleEntry<Key: Hashable & Sendable>: Sendable {
    private let inside = Mutex<Set<Key>>([])

    /// The right to be inside, to be handed back with ``leave(_:)``; `nil` if somebody is.
    func enter(_ key: Key) -> Key? { inside.withLock { $0.insert(key).inserted } ? key : nil }

    func leave(_ key: Key) { inside.withLock { _ = $0.remove(key) } }
}
