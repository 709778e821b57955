package import Kernel
internal import Synchronization
package import TokenReading

/// The keys that sign and verify access tokens: the active key, the next key, and earlier keys whose tokens may still
/// be valid.
///
/// Readers take a ``KeyRingSnapshot`` and hold no lock while they sign or verify. A change of the ring is on disk, or in
/// the database that several daemons share, before a new key signs. So a crash cannot lose a key that has signed.
/// ``Ring`` decides how the state of each key changes.
///
/// A second ring may hold RSA keys that sign only id tokens (``identity``). No access token is verified with them.
package final class KeyRing: Sendable {
    private let use: KeyUse
    let store: any RingStore
    let policy: KeyRingPolicy
    /// The longest lifetime of any token that the ring signs, and a margin for clocks that were set back.
    let longestToken: Duration
    private let published: Mutex<KeyRingSnapshot>
    let unrecorded = Mutex(UnrecordedKeyChanges())
    private let secondRing = Mutex<KeyRing?>(nil)
    private let keySetCache = Mutex<PublishedRings?>(nil)

    private init(
        _ use: KeyUse,
        store: any RingStore,
        policy: KeyRingPolicy,
        longestToken: Duration,
        snapshot: KeyRingSnapshot
    ) {
        self.use = use
        self.store = store
        self.policy = policy
        self.longestToken = longestToken
        published = Mutex(snapshot)
    }

    /// Loads the ring of the key folder, or creates it with its first keys.
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
        try open(in: FolderRingStore(folder: folder), policy: policy, longestToken: longestToken, now: now)
    }

    /// Loads the ring of a database that several daemons share, or creates it with its first keys.
    ///
    /// Of several daemons that start for the first time in the same moment, one creates the keys and all use them. The
    /// call blocks while it asks the database.
    ///
    /// - Parameters: Those of ``open(in:policy:longestToken:now:)`` for the key folder.
    /// - Returns: The ring, ready to sign.
    /// - Throws: ``KeyError``.
    package static func open(
        in shared: SharedRingStore,
        policy: KeyRingPolicy,
        longestToken: Duration,
        now: Instant
    ) throws(KeyError) -> KeyRing {
        try open(in: shared as any RingStore, policy: policy, longestToken: longestToken, now: now)
    }

    private static func open(
        in store: any RingStore,
        policy: KeyRingPolicy,
        longestToken: Duration,
        now: Instant
    ) throws(KeyError) -> KeyRing {
        let ring = try open(.tokens, in: store, policy: policy, longestToken: longestToken, now: now)
        if try store.exists(.identity) { try ring.openIdentity(now: now) }
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
            in: store,
            policy: identityPolicy,
            longestToken: longestToken,
            now: now
        )
        secondRing.withLock { $0 = $0 ?? ring }
        return true
    }

    private static func open(
        _ use: KeyUse,
        in store: any RingStore,
        policy: KeyRingPolicy,
        longestToken: Duration,
        now: Instant
    ) throws(KeyError) -> KeyRing {
        var snapshot: KeyRingSnapshot?
        try store.open(use) { stored throws(KeyError) in
            func newKey() throws(KeyError) -> SigningKey { try Self.newKey(policy, for: use, in: store) }
            var ring: Ring
            if let stored {
                ring = stored
                _ = ring.noteLongestToken(longestToken)
                if ring.next?.algorithm != policy.algorithm { ring.replaceNext(with: try newKey(), now: now) }
            } else {
                ring = Ring(first: try newKey(), next: try newKey(), now: now, longestToken: longestToken)
            }
            snapshot = try makeSnapshot(of: ring, use, in: store)
            return ring
        }
        guard let snapshot else { throw .missing(path: store.location(of: use)) }
        return KeyRing(use, store: store, policy: policy, longestToken: longestToken, snapshot: snapshot)
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

    /// Whether other daemons change the ring too.
    package var isShared: Bool { store.isShared }

    /// Reads the ring again, which another process may have changed.
    package func reload() throws(KeyError) {
        try change { _ in [] }
        try identity?.reload()
    }

    /// Changes the stored ring, publishes it, and returns what was published.
    ///
    /// `body` may be called several times, and only the last call counts. It returns what the audit log has to say.
    @discardableResult
    func change(_ body: (inout Ring) throws(KeyError) -> [DatedKeyChange]) throws(KeyError) -> KeyRingSnapshot {
        var made = snapshot
        var changes: [DatedKeyChange] = []
        do throws(KeyError) {
            try store.change(
                use,
                { ring throws(KeyError) in
                    changes = []
                    changes = try body(&ring)
                    made = try Self.makeSnapshot(of: ring, use, in: store)
                },
                then: { published.withLock { $0 = made } }
            )
        } catch {
            // The ring may be changed all the same, if only the answer of the database was lost.
            unrecorded.withLock { $0.doubt(changes) }
            throw error
        }
        unrecorded.withLock { $0.add(changes, asStoredIn: made.ring) }
        return made
    }

    private static func makeSnapshot(
        of ring: Ring,
        _ use: KeyUse,
        in store: any RingStore
    ) throws(KeyError) -> KeyRingSnapshot {
        guard let snapshot = KeyRingSnapshot(ring, acceptsNext: store.isShared) else {
            throw .damaged(path: store.location(of: use), .activeKeys(0))
        }
        return snapshot
    }

    /// Returns a key of the policy's algorithm, which is in no ring yet.
    func newKey() throws(KeyError) -> SigningKey { try Self.newKey(policy, for: use, in: store) }

    private static func newKey(
        _ policy: KeyRingPolicy,
        for use: KeyUse,
        in store: any RingStore
    ) throws(KeyError) -> SigningKey {
        do { return try SigningKey.generate(policy.algorithm) } catch {
            throw .unavailable(path: store.location(of: use), action: "make a key for", cause: "\(error)")
        }
    }
}
