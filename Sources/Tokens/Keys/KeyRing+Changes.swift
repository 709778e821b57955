package import Kernel
package import TokenReading

/// The changes of keys, by operators and by schedule.
extension KeyRing {
    /// Signs with the next keys from now on.
    ///
    /// The old keys verify until their tokens have expired.
    ///
    /// Overdue keys are not retired here, because the operator's clock may be wrong: see ``advance(now:)``. What other
    /// daemons have changed is read first. If one replaces the signing key while this call is made, that change counts,
    /// and no second one is made. The call blocks while it reads or writes a few small files, or asks the database. If
    /// it throws, no key has changed for readers by it.
    ///
    /// - Parameters:
    ///   - now: The date of the change.
    ///   - unannounced: Whether to rotate even if the next key has not been published for long enough.
    /// - Returns: The id of the key that signs now.
    /// - Throws: ``KeyError``; ``KeyError/refused(_:)`` with ``KeyChangeError/notAnnounced(next:readyAt:)``.
    @discardableResult
    package func rotate(now: Instant, unannounced: Bool = false) throws(KeyError) -> KeyID {
        // The message of another daemon's rotation may still be on its way.
        if isShared { try reload() }
        return try rotateStored(now: now, unannounced: unannounced)
    }

    private func rotateStored(now: Instant, unannounced: Bool) throws(KeyError) -> KeyID {
        // Both rings are checked before either is changed.
        if !unannounced {
            try checkAnnouncement(at: now)
            try identity?.checkAnnouncement(at: now)
        }
        let replaced = snapshot.current.verificationKey.thumbprint
        let signing = try change { ring throws(KeyError) in
            guard !store.isShared || ring.keys.first?.id == replaced else { return [] }
            if !unannounced { try checkAnnouncement(of: ring, at: now) }
            ring.rotate(to: try newKey(), now: now, longestToken: longestToken)
            return [DatedKeyChange(change: .rotated(to: ring.keys[0].id), at: now)]
        }
        let id = signing.current.verificationKey.thumbprint
        _ = try identity?.rotateStored(now: now, unannounced: unannounced)
        return id
    }

    private func checkAnnouncement(at now: Instant) throws(KeyError) {
        try checkAnnouncement(of: snapshot.ring, at: now)
    }

    private func checkAnnouncement(of ring: Ring, at now: Instant) throws(KeyError) {
        guard let next = ring.next, now < next.createdAt + policy.announcement else { return }
        throw .refused(.notAnnounced(next: next.id.text, readyAt: next.createdAt + policy.announcement))
    }

    /// Retires a key early: from now on, this server accepts no token that it signed.
    ///
    /// Backends that verify offline accept such tokens until they fetch the key set again.
    @discardableResult
    package func retire(_ kid: String, now: Instant) throws(KeyError) -> KeyID {
        if let second = identity, second.snapshot.keys.contains(where: { $0.id.text == kid }) {
            return try second.retire(kid, now: now)
        }
        var retired: KeyID?
        try change { ring throws(KeyError) in
            let id = try ring.retire(kid, replacement: try newKey(), now: now)
            retired = id
            return [DatedKeyChange(change: .retired(id), at: now)]
        }
        guard let retired else { throw .refused(.unknownKey(kid)) }
        return retired
    }

    /// Does what is due: rotates by schedule, and retires keys whose last token has expired.
    ///
    /// `now` must be a trusted time (``SweepClock``), because a retired key cannot be restored.
    ///
    /// - Returns: The changes; empty if nothing was due.
    @discardableResult
    package func advance(now: Instant) throws(KeyError) -> [KeyChange] {
        try advanceAlone(now: now) + (try identity?.advanceAlone(now: now) ?? [])
    }

    private func advanceAlone(now: Instant) throws(KeyError) -> [KeyChange] {
        // This runs every minute, and a change is due only a few times a year. Nothing is read if nothing is due.
        guard isDue(snapshot.ring, at: now) || !snapshot.ring.overdue(at: now).isEmpty else { return [] }
        var changes: [KeyChange] = []
        try change { ring throws(KeyError) in
            changes = []
            if isDue(ring, at: now) {
                ring.rotate(to: try newKey(), now: now, longestToken: longestToken)
                changes.append(.rotated(to: ring.keys[0].id))
            }
            changes += ring.retireOverdue(now: now).map { .retired($0) }
            return changes.map { DatedKeyChange(change: $0, at: now) }
        }
        return changes
    }

    /// Changes dates in the future, which a clock that was ahead has set, to now.
    ///
    /// Otherwise the next rotation and the end of the old key would wait until those dates.
    ///
    /// - Parameter now: A trusted time (``SweepClock``), because a clock that is behind would change every date.
    /// - Returns: The keys whose dates were changed.
    /// - Throws: ``KeyError``.
    package func redate(now: Instant) throws(KeyError) -> [KeyID] {
        try redateAlone(now: now) + (try identity?.redateAlone(now: now) ?? [])
    }

    private func redateAlone(now: Instant) throws(KeyError) -> [KeyID] {
        // Another daemon's clock may be ahead of this one's by so much, and both are right.
        let latest = store.isShared ? now + DatabaseClock.tolerance * 2 : now
        func hasWrongDate(_ ring: Ring) -> Bool { ring.keys.contains { $0.isDated(after: latest) } }
        guard hasWrongDate(snapshot.ring) else { return [] }
        var keys: [KeyID] = []
        try change { ring throws(KeyError) in
            keys = hasWrongDate(ring) ? ring.redate(now: now) : []
            return []
        }
        return keys
    }

    private func isDue(_ ring: Ring, at now: Instant) -> Bool {
        guard let rotation = policy.rotation, let active = ring.keys.first, let next = ring.next else { return false }
        return now >= active.since + rotation && now >= next.createdAt + policy.announcement
    }
}
