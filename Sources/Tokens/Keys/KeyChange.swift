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
        let changes = unrecorded.withLock { changes in
            let taken = changes
            changes = []
            return taken
        }
        guard !changes.isEmpty, await !write(changes) else { return }
        unrecorded.withLock { $0 = changes + $0 }
    }

    func note(_ changes: [KeyChange], at now: Instant) {
        unrecorded.withLock { $0 += changes.map { DatedKeyChange(change: $0, at: now) } }
    }
}
