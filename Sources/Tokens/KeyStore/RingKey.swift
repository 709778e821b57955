package import Kernel
package import TokenReading

/// One key of the ring, with its state.
struct RingKey: Sendable {
    let id: KeyID
    let algorithm: SigningAlgorithm
    let createdAt: Instant
    var state: State

    /// The states of a key in their order.
    ///
    /// A key never returns to an earlier state.
    enum State: Sendable {
        /// The key is published, so that verifiers have it before it signs.
        case next(SigningKey)
        /// The key signs; one key at a time is active.
        ///
        /// - Parameter longestToken: The longest lifetime of a token signed with it. The configured lifetime may have
        ///   changed.
        case active(SigningKey, since: Instant, longestToken: Duration)
        /// The key no longer signs, and is published until every token that it signed has expired.
        case retiring(SigningKey, since: Instant, until: Instant)
        /// The key was deleted with its file. No token that it signed is accepted.
        case retired(at: Instant)
    }

    /// Creates a new key, which is published from now on.
    init(next key: SigningKey, createdAt: Instant) {
        self.init(key, createdAt: createdAt, state: .next(key))
    }

    init(_ key: SigningKey, createdAt: Instant, state: State) {
        id = key.verificationKey.thumbprint
        algorithm = key.verificationKey.algorithm
        self.createdAt = createdAt
        self.state = state
    }

    /// Creates a key whose private half was deleted.
    init(retired id: KeyID, _ algorithm: SigningAlgorithm, createdAt: Instant, at: Instant) {
        self.id = id
        self.algorithm = algorithm
        self.createdAt = createdAt
        state = .retired(at: at)
    }

    /// The private key; `nil` once the key is retired.
    var key: SigningKey? {
        switch state {
        case .next(let key), .active(let key, _, _), .retiring(let key, _, _): key
        case .retired: nil
        }
    }

    /// The time from which the key is in this state.
    var since: Instant {
        switch state {
        case .next: createdAt
        case .active(_, let since, _), .retiring(_, let since, _): since
        case .retired(let at): at
        }
    }

    /// Whether the key was created, or got its state, after `now`: the clock was ahead then.
    func isDated(after now: Instant) -> Bool { since > now || createdAt > now }

    /// Returns the key with no date of its own later than now.
    ///
    /// The time for which it verifies keeps its length.
    func redated(_ now: Instant) -> RingKey {
        let (made, since) = (min(createdAt, now), min(since, now))
        switch state {
        case .next(let key): return RingKey(next: key, createdAt: made)
        case .active(let key, _, let longest):
            return RingKey(key, createdAt: made, state: .active(key, since: since, longestToken: longest))
        case .retiring(let key, let old, let until):
            return RingKey(key, createdAt: made, state: .retiring(key, since: since, until: since + (until - old)))
        case .retired: return RingKey(retired: id, algorithm, createdAt: made, at: since)
        }
    }

    /// The time from which no token that the key signed is accepted; `nil` while the key may still sign.
    var verifiesUntil: Instant? {
        switch state {
        case .next, .active: nil
        case .retiring(_, _, let until): until
        case .retired(let at): at
        }
    }

    var stateName: KeyState {
        switch state {
        case .next: .next
        case .active: .active
        case .retiring: .retiring
        case .retired: .retired
        }
    }

    var summary: KeySummary {
        KeySummary(
            id: id,
            algorithm: algorithm,
            state: stateName,
            createdAt: createdAt,
            since: since,
            verifiesUntil: verifiesUntil
        )
    }
}

/// The state of a key.
///
/// It decides what the key may still be used for.
package enum KeyState: String, Codable, CaseIterable, Sendable {
    case next, active, retiring, retired
}

/// The data of a key that an operator may see.
package struct KeySummary: Sendable, Equatable {
    package let id: KeyID
    package let algorithm: SigningAlgorithm
    package let state: KeyState
    package let createdAt: Instant
    /// The time from which the key is in that state.
    package let since: Instant
    /// The time from which no token that the key signed is accepted; `nil` for the active key and the next one.
    package let verifiesUntil: Instant?
    package var use = KeyUse.tokens
}

/// The kind of tokens that the keys of a ring sign.
package enum KeyUse: String, Codable, CaseIterable, Sendable {
    /// Access tokens, approvals and receipts, and the id tokens of clients that did not register another algorithm.
    case tokens
    /// Only id tokens of clients that registered RS256 (OpenID Connect Core §15.1).
    case identity
}
