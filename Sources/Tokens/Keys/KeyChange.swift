package import Kernel
internal import Synchronization
package import TokenReading

/// A change of a key.
package enum KeyChange: Equatable, Sendable {
    case rotated(to: KeyID)
    case retired(KeyID)
}

/// A change of a key and its time.
///
/// It may be written to the audit log much later.
package struct DatedKeyChange: Equatable, Sendable {
    package let change: KeyChange
    package let at: Instant
}

/// The changes of a ring's keys that are not in the audit log yet.
struct UnrecordedKeyChanges: Sendable {
    /// More changes than an outage of the database leaves in doubt.
    private static let mostInDoubt = 16

    /// Those that were made, the oldest first.
    private(set) var made: [DatedKeyChange] = []
    /// Those that may have been made although an error was reported.
    private var inDoubt: [DatedKeyChange] = []

    /// Keeps changes until the stored ring shows that they were made.
    mutating func doubt(_ changes: [DatedKeyChange]) { inDoubt = (inDoubt + changes).suffix(Self.mostInDoubt) }

    /// Adds changes that were made, after those in doubt that the stored ring shows.
    ///
    /// A change that it doesn't show may become visible later. The time tells it from the same one by another daemon.
    mutating func add(_ changes: [DatedKeyChange], asStoredIn ring: Ring) {
        made += inDoubt.filter(ring.shows) + changes
        inDoubt.removeAll(where: ring.shows)
    }

    /// Adds changes again that could not be recorded.
    mutating func putBack(_ changes: [DatedKeyChange]) { made = changes + made }

    /// Returns those that were made, for the audit log.
    mutating func take() -> [DatedKeyChange] {
        defer { made = [] }
        return made
    }
}

extension Ring {
    /// Whether a key is in the state that the change gave it then.
    fileprivate func shows(_ dated: DatedKeyChange) -> Bool {
        keys.contains { key in
            switch (dated.change, key.state) {
            case (.rotated(let id), .active(_, let since, _)): key.id == id && since == dated.at
            case (.retired(let id), .retired(let at)): key.id == id && at == dated.at
            default: false
            }
        }
    }
}

/// The changes of keys on their way into the audit log.
extension KeyRing {
    /// Passes the changes of keys that are not in the audit log yet to `write`, the oldest first.
    ///
    /// Without changes, nothing is called.
    ///
    /// Changes that `write` could not record are passed again the next time, because the keys have changed anyway.
    ///
    /// - Parameter write: Records all of the changes or none, and returns whether it did.
    package func handOver(to write: ([DatedKeyChange]) async -> Bool) async {
        await handOverAlone(to: write)
        await identity?.handOverAlone(to: write)
    }

    private func handOverAlone(to write: ([DatedKeyChange]) async -> Bool) async {
        let changes = unrecorded.withLock { $0.take() }
        guard !changes.isEmpty, await !write(changes) else { return }
        unrecorded.withLock { $0.putBack(changes) }
    }
}
