package import Kernel
internal import Synchronization
package import TokenReading

/// The keys that sign and verify access tokens: the active key, the next key, and earlier keys whose tokens may still
/// be valid.
///
/// Readers take a ``KeyRingSnapshot`` and hold no lock while they sign or verify. A change of the ring is on disk
/// before a new key signs, so that a crash cannot lose a key that has signed. ``Ring`` decides how the state of each
/// key changes.
///
/// A second ring may hold RSA keys that sign only id tokens (``identity``). No access token is verified with them.
package final class KeyRing: Sendable {
    private let use: KeyUse
    private let folder: KeyFolder
    private let policy: KeyRingPolicy
    /// The longest lifetime of any token that the ring signs, and a margin for clocks that were set back.
    private let longestToken: Duration
    private let published: Mutex<KeyRingSnapshot>
    /// Changes of keys that are not in the audit log yet, the oldest first.
    private let unrecorded = Mutex<[DatedKeyChange]>([])
    private let secondRing = Mutex<KeyRing?>(nil)
    private let keySetCache = Mutex<PublishedRings?>(nil)

    private init(
        _ use: KeyUse,
        folder: KeyFolder,
        policy: KeyRingPolicy,
        longestToken: Duration,
        snapshot: KeyRingSnapshot
    ) {
        self.use = use
        self.folder = folder
        self.policy = policy
        self.longestToken = longestToken
        published = Mutex(snapshot)
    }

    /// Loads the ring, or creates it with its first keys.
    ///
    /// If the next key has another algorithm than the policy's, it is replaced, because it has never signed. The call
    /// blocks while it reads or writes a few small files.
    ///
    /// - Parameters:
    ///   - folder: The opened key folder.
    ///   - policy: The rules for new keys and rotations.
    ///   - longestToken: The longest lifetime of any token that the ring signs, and a margin for clocks that were set
    ///     back.
    ///   - now: The creation date of new keys.
    /// - Returns: The ring, ready to sign.
    /// - Throws: ``KeyError``.
    package static func open(
        in folder: KeyFolder,
        policy: KeyRingPolicy,
        longestToken: Duration,
        now: Instant
    ) throws(KeyError) -> KeyRing {
        let ring = try open(.tokens, in: folder, policy: policy, longestToken: longestToken, now: now)
        if try PrivateFiles.exists(folder.ringPath(.identity)) { try ring.openIdentity(now: now) }
        return ring
    }

    /// Loads the second ring, or creates it with its first keys.
    ///
    /// Call it in the background: creating RSA keys takes up to a second.
    ///
    /// - Parameter now: The creation date of new keys.
    /// - Returns: Whether the ring was loaded or created now.
    /// - Throws: ``KeyError``.
    @discardableResult
    package func openIdentity(now: Instant) throws(KeyError) -> Bool {
        guard use == .tokens, identity == nil else { return false }
        var identityPolicy = policy
        identityPolicy.algorithm = .rs256
        let ring = try Self.open(
            .identity,
            in: folder,
            policy: identityPolicy,
            longestToken: longestToken,
            now: now
        )
        secondRing.withLock { $0 = $0 ?? ring }
        return true
    }

    private static func open(
        _ use: KeyUse,
        in folder: KeyFolder,
        policy: KeyRingPolicy,
        longestToken: Duration,
        now: Instant
    ) throws(KeyError) -> KeyRing {
        let snapshot = try folder.exclusively { () throws(KeyError) in
            let files = RingFolder(folder, use)
            guard let found = try files.load() else {
                let first = try newKey(policy, in: files)
                let next = try newKey(policy, in: files)
                let ring = Ring(first: first, next: next, now: now, longestToken: longestToken)
                try files.create(ring)
                return try makeSnapshot(of: ring, in: files)
            }
            let old = Ring(found.keys)
            var ring = old
            var isChanged = ring.noteLongestToken(longestToken)
            if ring.next?.algorithm != policy.algorithm {
                ring.replaceNext(with: try newKey(policy, in: files), now: now)
                isChanged = true
            }
            if isChanged { try files.replace(old, with: ring) }
            if found.isStale { try files.encryptAgain(ring) }
            return try makeSnapshot(of: ring, in: files)
        }
        return KeyRing(use, folder: folder, policy: policy, longestToken: longestToken, snapshot: snapshot)
    }

    /// The current state of the ring.
    package var snapshot: KeyRingSnapshot { published.withLock { $0 } }

    /// The ring that signs id tokens with RS256; `nil` until its keys are created.
    var identity: KeyRing? { secondRing.withLock { $0 } }

    /// The algorithms that can sign id tokens: those of access tokens, of now and of the next key, and RS256.
    ///
    /// The keys for RS256 are created soon after the first start.
    package var identityAlgorithms: [SigningAlgorithm] {
        let algorithms = snapshot.algorithms
        return algorithms.contains(.rs256) ? algorithms : algorithms + [.rs256]
    }

    /// The keys of this ring in their order, then those of the second ring, for the operator.
    package var keys: [KeySummary] {
        let second = identity?.snapshot.keys ?? []
        return snapshot.keys
            + second.map { key in
                var key = key
                key.use = .identity
                return key
            }
    }

    /// The published keys of both rings, as a key set document in UTF-8 JSON.
    package var keySet: [UInt8] {
        let (tokens, second) = (snapshot, identity?.snapshot)
        return keySetCache.withLock { held in
            if let held, held.tokens === tokens, held.identity === second { return held.document }
            let made = PublishedRings(
                tokens: tokens,
                identity: second,
                document: JSONWebKeySet.encode(tokens.ring.keys, identity: second?.ring.keys ?? [])
            )
            held = made
            return made.document
        }
    }

    private struct PublishedRings {
        let tokens: KeyRingSnapshot
        let identity: KeyRingSnapshot?
        let document: [UInt8]
    }

    /// Signs with the next keys from now on.
    ///
    /// The old keys verify until their tokens have expired.
    ///
    /// Overdue keys are not retired here, because the operator's clock may be wrong: see ``advance(now:)``. The call
    /// blocks while it reads or writes a few small files. If it throws, nothing has changed for readers.
    ///
    /// - Parameters:
    ///   - now: The date of the change.
    ///   - unannounced: Whether to rotate even if the next key has not been published for long enough.
    /// - Returns: The id of the key that signs now.
    /// - Throws: ``KeyError``; ``KeyError/refused(_:)`` with ``KeyChangeError/notAnnounced(next:readyAt:)``.
    @discardableResult
    package func rotate(now: Instant, unannounced: Bool = false) throws(KeyError) -> KeyID {
        // Both rings are checked before either is changed.
        if !unannounced {
            try checkAnnouncement(at: now)
            try identity?.checkAnnouncement(at: now)
        }
        let signing = try change { files, ring throws(KeyError) in
            if !unannounced { try checkAnnouncement(of: ring, at: now) }
            ring.rotate(to: try Self.newKey(policy, in: files), now: now, longestToken: longestToken)
        }
        let id = signing.keys[0].id
        note([.rotated(to: id)], at: now)
        try identity?.rotate(now: now, unannounced: unannounced)
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
        try change { files, ring throws(KeyError) in
            retired = try ring.retire(kid, replacement: try Self.newKey(policy, in: files), now: now)
        }
        guard let retired else { throw .refused(.unknownKey(kid)) }
        note([.retired(retired)], at: now)
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
        // This runs every minute, and a change is due only a few times a year. No file is read if nothing is due.
        guard isDue(snapshot.ring, at: now) || !snapshot.ring.overdue(at: now).isEmpty else { return [] }
        var changes: [KeyChange] = []
        try change { files, ring throws(KeyError) in
            if isDue(ring, at: now) {
                ring.rotate(to: try Self.newKey(policy, in: files), now: now, longestToken: longestToken)
                changes.append(.rotated(to: ring.keys[0].id))
            }
            changes += ring.retireOverdue(now: now).map { .retired($0) }
        }
        note(changes, at: now)
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
        guard snapshot.ring.keys.contains(where: { $0.isDated(after: now) }) else { return [] }
        var keys: [KeyID] = []
        try change { _, ring throws(KeyError) in keys = ring.redate(now: now) }
        return keys
    }

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

    private func note(_ changes: [KeyChange], at now: Instant) {
        unrecorded.withLock { $0 += changes.map { DatedKeyChange(change: $0, at: now) } }
    }

    /// Reads the ring again, which another process may have changed.
    package func reload() throws(KeyError) {
        try change { _, _ in }
        try identity?.reload()
    }

    private func isDue(_ ring: Ring, at now: Instant) -> Bool {
        guard let rotation = policy.rotation, let active = ring.keys.first, let next = ring.next else { return false }
        return now >= active.since + rotation && now >= next.createdAt + policy.announcement
    }

    /// Changes the ring on disk, not the one in memory, because another process may have rotated.
    ///
    /// The snapshot is published while the folder is locked, so that two changes cannot be published in the wrong
    /// order.
    @discardableResult
    private func change(_ body: (RingFolder, inout Ring) throws(KeyError) -> Void) throws(KeyError) -> KeyRingSnapshot {
        try folder.exclusively { () throws(KeyError) in
            let files = RingFolder(folder, use)
            guard let found = try files.load() else { throw .missing(path: files.path) }
            let old = Ring(found.keys)
            var ring = old
            try body(files, &ring)
            let next = try Self.makeSnapshot(of: ring, in: files)
            if ring.keys.map(\.summary) != old.keys.map(\.summary) { try files.replace(old, with: ring) }
            published.withLock { $0 = next }
            return next
        }
    }

    private static func makeSnapshot(of ring: Ring, in files: RingFolder) throws(KeyError) -> KeyRingSnapshot {
        guard let snapshot = KeyRingSnapshot(ring) else { throw .damaged(path: files.path, .activeKeys(0)) }
        return snapshot
    }

    private static func newKey(_ policy: KeyRingPolicy, in files: RingFolder) throws(KeyError) -> SigningKey {
        do { return try SigningKey.generate(policy.algorithm) } catch {
            throw .unavailable(path: files.path, action: "make a key for", cause: "\(error)")
        }
    }
}

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
