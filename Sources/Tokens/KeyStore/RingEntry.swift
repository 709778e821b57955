internal import Kernel
internal import TokenReading

/// Converts between an entry of ring.json and the key that it describes.
extension RingRecord.Entry {
    init(_ key: RingKey) {
        self.init(kid: key.id.text, alg: key.algorithm, state: key.stateName, createdAt: key.createdAt.milliseconds)
        switch key.state {
        case .next: break
        case .active(_, let since, let longest):
            activeAt = since.milliseconds
            longestToken = longest.wholeMilliseconds
        case .retiring(_, let since, let until):
            retiredAt = since.milliseconds
            verifyUntil = until.milliseconds
        case .retired(let at): retiredAt = at.milliseconds
        }
    }

    /// The state and dates that an entry states, before its key file is read.
    enum Claim {
        case next
        case active(since: Instant, longestToken: Duration)
        case retiring(since: Instant, until: Instant)
        case retired(at: Instant)
    }

    /// The state and dates of the entry; `nil` if the dates do not belong to the state.
    var claim: Claim? {
        switch (state ?? (retiredAt == nil ? .active : .retiring), activeAt, longestToken, retiredAt, verifyUntil) {
        case (.next, nil, nil, nil, nil): .next
        case (.active, let since?, let longest?, nil, nil):
            .active(since: Instant(milliseconds: since), longestToken: .milliseconds(longest))
        // Version 1 did not state the longest token lifetime. The caller takes it from the config.
        case (.active, nil, nil, nil, nil) where state == nil:
            .active(since: Instant(milliseconds: createdAt), longestToken: .zero)
        case (.retiring, nil, nil, let since?, let until?):
            .retiring(since: Instant(milliseconds: since), until: Instant(milliseconds: until))
        case (.retired, nil, nil, let at?, nil): .retired(at: Instant(milliseconds: at))
        case (.next, _, _, _, _), (.active, _, _, _, _), (.retiring, _, _, _, _), (.retired, _, _, _, _): nil
        }
    }
}

/// Converts between ring.json and the ring that it describes.
extension RingRecord {
    init(_ ring: Ring, root: String) {
        self.init(version: Self.currentVersion, root: root, keys: ring.keys.map { Entry($0) })
    }

    /// Returns the keys that the record lists, which are a ring.
    ///
    /// - Parameters:
    ///   - root: The current ``KeyFolder/rootFingerprint``.
    ///   - path: The name of the record in errors.
    ///   - read: Returns the private half of a key.
    /// - Returns: The keys, in the order of the record.
    /// - Throws: ``KeyError``, and the errors of `read`.
    func ringKeys(
        root: String,
        path: String,
        read: (KeyID, SigningAlgorithm) throws(KeyError) -> SigningKey
    ) throws(KeyError) -> [RingKey] {
        guard self.root == root else { throw .damaged(path: path, .foreignRoot) }
        var found: [RingKey] = []
        for entry in keys {
            let key = try entry.key(path: path, read: read)
            guard !found.contains(where: { $0.id == key.id }) else {
                throw .damaged(path: path, .duplicateKey(entry.kid))
            }
            found.append(key)
        }
        if let damage = Ring.fault(in: found) { throw .damaged(path: path, damage) }
        return found
    }
}

extension RingRecord.Entry {
    fileprivate func key(
        path: String,
        read: (KeyID, SigningAlgorithm) throws(KeyError) -> SigningKey
    ) throws(KeyError) -> RingKey {
        guard let id = KeyID(kid), let claim else { throw .damaged(path: path, .notARing) }
        let createdAt = Instant(milliseconds: createdAt)
        let state: (SigningKey) -> RingKey.State
        switch claim {
        case .retired(let at): return RingKey(retired: id, alg, createdAt: createdAt, at: at)
        case .next: state = { .next($0) }
        case .active(let since, let longest): state = { .active($0, since: since, longestToken: longest) }
        case .retiring(let since, let until): state = { .retiring($0, since: since, until: until) }
        }
        let key = try read(id, alg)
        return RingKey(key, createdAt: createdAt, state: state(key))
    }
}

extension Ring {
    /// Whether ring.json is the same for both.
    func hasSameRecord(as other: Ring) -> Bool {
        keys.map { RingRecord.Entry($0) } == other.keys.map { RingRecord.Entry($0) }
    }
}

extension SigningKey {
    /// Reads a PKCS#8 PEM of the key with that id, which errors call `path`.
    static func read(
        _ pem: String,
        id: KeyID,
        algorithm: SigningAlgorithm,
        path: String
    ) throws(KeyError) -> SigningKey {
        guard let key = SigningKey(pem: pem, algorithm: algorithm) else {
            throw .damaged(path: path, .notAKey(algorithm: algorithm.rawValue))
        }
        let found = key.verificationKey.thumbprint
        guard found == id else { throw .damaged(path: path, .thumbprintMismatch(found: found.text)) }
        return key
    }
}
