package import Kernel
internal import Synchronization

/// The keys that sign and verify access tokens: one that signs, and those before it whose tokens may still be about.
///
/// Readers take a ``KeyRingSnapshot`` and hold no lock while they sign or verify. What changes the ring is on the disk
/// before anybody can sign with it, so that no token is ever signed by a key that a crash could lose.
package final class KeyRing: Sendable {
    private let folder: KeyFolder
    private let algorithm: SigningAlgorithm
    private let retiredKeysVerifyFor: Duration
    private let published: Mutex<KeyRingSnapshot>

    private init(
        folder: KeyFolder,
        algorithm: SigningAlgorithm,
        retiredKeysVerifyFor: Duration,
        snapshot: KeyRingSnapshot
    ) {
        self.folder = folder
        self.algorithm = algorithm
        self.retiredKeysVerifyFor = retiredKeysVerifyFor
        published = Mutex(snapshot)
    }

    /// Loads the ring, or makes it with its first key.
    ///
    /// Blocks for a few small files.
    ///
    /// - Parameters:
    ///   - folder: The opened key folder.
    ///   - algorithm: Of new keys; a ring that holds others keeps them until the next rotation.
    ///   - retiredKeysVerifyFor: How long a key verifies after its retirement: the longest lifetime of an access token
    ///     of any client, and a few minutes for clocks that were set back.
    ///   - now: The date of the first key, if it has to be made.
    /// - Returns: The ring, ready to sign.
    /// - Throws: ``KeyFault``.
    package static func open(
        in folder: KeyFolder,
        algorithm: SigningAlgorithm,
        retiredKeysVerifyFor: Duration,
        now: Instant
    ) throws(KeyFault) -> KeyRing {
        let snapshot = try folder.exclusively { () throws(KeyFault) in
            let ring = RingFolder(folder)
            if let keys = try ring.load() { return try makeSnapshot(of: keys, in: ring) }
            let first = RingKey(key: .generate(algorithm), createdAt: now)
            try ring.create(first)
            return try makeSnapshot(of: [first], in: ring)
        }
        return KeyRing(
            folder: folder,
            algorithm: algorithm,
            retiredKeysVerifyFor: retiredKeysVerifyFor,
            snapshot: snapshot
        )
    }

    /// The ring as it is now.
    package var snapshot: KeyRingSnapshot { published.withLock { $0 } }

    /// Makes a new key and signs with it from now on; the old one verifies until its tokens have expired.
    ///
    /// Keys whose time is over go for good. Blocks for a few small files; if it throws, nothing has changed for the
    /// readers.
    ///
    /// - Returns: The new key's id.
    @discardableResult
    package func rotate(now: Instant) throws(KeyFault) -> KeyID {
        let added = RingKey(key: .generate(algorithm), createdAt: now)
        try change { ring, keys throws(KeyFault) in
            var next = keys.filter { $0.verifies(at: now) }
            for index in next.indices where next[index].retirement == nil {
                next[index].retirement = .init(at: now, verifyUntil: now + retiredKeysVerifyFor)
            }
            next.append(added)
            try ring.replace(next, added: added)
            return next
        }
        return added.id
    }

    /// Removes the keys that no longer verify, from the ring, the key set and the disk.
    ///
    /// - Returns: Their ids; empty if there was nothing to do.
    @discardableResult
    package func prune(now: Instant) throws(KeyFault) -> [KeyID] {
        // Asked every hour for something that happens a few times a year: no file is touched for a no.
        guard snapshot.ringKeys.contains(where: { !$0.verifies(at: now) }) else { return [] }
        var removed: [KeyID] = []
        try change { ring, keys throws(KeyFault) in
            let kept = keys.filter { $0.verifies(at: now) }
            removed = keys.filter { !$0.verifies(at: now) }.map(\.id)
            if !removed.isEmpty { try ring.replace(kept) }
            return kept
        }
        return removed
    }

    /// Reads the ring again: what another process has made of it.
    package func reload() throws(KeyFault) {
        try change { _, keys in keys }
    }

    /// Starts from what is on the disk, not from what this process remembers: another may have rotated.
    ///
    /// Published under the lock, so that two changes can't be published in the other order.
    private func change(
        _ body: (RingFolder, [RingKey]) throws(KeyFault) -> [RingKey]
    ) throws(KeyFault) {
        try folder.exclusively { () throws(KeyFault) in
            let ring = RingFolder(folder)
            guard let keys = try ring.load() else { throw .missing(path: ring.path) }
            let next = try Self.makeSnapshot(of: body(ring, keys), in: ring)
            published.withLock { $0 = next }
        }
    }

    private static func makeSnapshot(of keys: [RingKey], in ring: RingFolder) throws(KeyFault) -> KeyRingSnapshot {
        guard let snapshot = KeyRingSnapshot(keys) else {
            throw .damaged(path: ring.path, .currentKeys(keys.count { $0.retirement == nil }))
        }
        return snapshot
    }
}
