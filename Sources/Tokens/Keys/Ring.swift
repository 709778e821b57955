package import Kernel
internal import TokenReading

/// The keys of a ring and the changes of their states, as a value without clock, disk or randomness.
///
/// There is one active key and one next key at any time. Every change keeps that.
struct Ring: Sendable {
    /// The most retired keys that are kept, for the operator and for a specific error.
    static let rememberedKeys = 16

    /// The active key, the next key, then the retiring and the retired keys, the latest first.
    private(set) var keys: [RingKey]

    /// Creates a ring of keys in which ``fault(in:)`` has found no fault.
    init(_ keys: [RingKey]) { self.keys = Self.sorted(keys) }

    /// Creates the first ring.
    ///
    /// `first` signs at once, because no verifier has another key.
    init(first: SigningKey, next: SigningKey, now: Instant, longestToken: Duration) {
        self.init([
            RingKey(first, createdAt: now, state: .active(first, since: now, longestToken: longestToken)),
            RingKey(next: next, createdAt: now),
        ])
    }

    /// Returns the reason why those keys are not a ring; `nil` if they are.
    ///
    /// A ring without a next key is of an earlier version, and gets one.
    static func fault(in keys: [RingKey]) -> KeyError.Damage? {
        let active = keys.count { $0.stateName == .active }
        guard active == 1 else { return .activeKeys(active) }
        let next = keys.count { $0.stateName == .next }
        return next <= 1 ? nil : .nextKeys(next)
    }

    var next: RingKey? { keys.first { $0.stateName == .next } }

    /// Makes the next key active, and `successor` the next key.
    ///
    /// The previously active key is retiring for `longestToken`, or for its own longest token lifetime if that is
    /// longer.
    mutating func rotate(to successor: SigningKey, now: Instant, longestToken: Duration) {
        for index in keys.indices {
            switch keys[index].state {
            case .active(let key, _, let longest):
                keys[index].state = .retiring(key, since: now, until: now + max(longest, longestToken))
            case .next(let key):
                keys[index].state = .active(key, since: now, longestToken: longestToken)
            case .retiring, .retired: break
            }
        }
        keys = Self.sorted(keys + [RingKey(next: successor, createdAt: now)])
    }

    /// Retires the keys whose last token has expired, and returns them.
    mutating func retireOverdue(now: Instant) -> [KeyID] {
        let overdue = Set(overdue(at: now).map(\.id))
        for index in keys.indices where overdue.contains(keys[index].id) { keys[index].state = .retired(at: now) }
        keys = Self.sorted(keys)
        return keys.map(\.id).filter(overdue.contains)
    }

    /// Retires a key early: from now on, no token that it signed is accepted.
    ///
    /// If it is the next key, `replacement` becomes the next key. The active key cannot be retired.
    mutating func retire(_ kid: String, replacement: SigningKey, now: Instant) throws(KeyError) -> KeyID {
        guard let index = keys.firstIndex(where: { $0.id.text == kid }) else { throw .refused(.unknownKey(kid)) }
        switch keys[index].state {
        case .active: throw .refused(.activeKey(kid))
        case .retired: throw .refused(.retiredAlready(kid))
        case .next: keys.append(RingKey(next: replacement, createdAt: now))
        case .retiring: break
        }
        let id = keys[index].id
        keys[index].state = .retired(at: now)
        keys = Self.sorted(keys)
        return id
    }

    /// Replaces the next key, which may be missing and has never signed.
    mutating func replaceNext(with key: SigningKey, now: Instant) {
        keys = Self.sorted(keys.filter { $0.stateName != .next } + [RingKey(next: key, createdAt: now)])
    }

    /// Raises the longest token lifetime of the active key to that value; returns whether it was shorter.
    mutating func noteLongestToken(_ lifetime: Duration) -> Bool {
        for index in keys.indices {
            guard case .active(let key, let since, let longest) = keys[index].state, lifetime > longest else {
                continue
            }
            keys[index].state = .active(key, since: since, longestToken: lifetime)
            return true
        }
        return false
    }

    /// Changes the dates later than now, which a clock that was ahead has set, to now; returns the changed keys.
    mutating func redate(now: Instant) -> [KeyID] {
        let ahead = keys.filter { $0.isDated(after: now) }.map(\.id)
        if !ahead.isEmpty { keys = Self.sorted(keys.map { $0.redated(now) }) }
        return ahead
    }

    /// Returns the retiring keys whose last token has expired.
    func overdue(at now: Instant) -> [RingKey] {
        keys.filter { key in
            guard case .retiring(_, _, let until) = key.state else { return false }
            return now >= until
        }
    }

    private static func sorted(_ keys: [RingKey]) -> [RingKey] {
        // The keys are sorted by their last change, not by creation: the clock may have been set back between two
        // rotations.
        let order: [KeyState] = [.active, .next, .retiring, .retired]
        return order.flatMap { state in
            let group = keys.filter { $0.stateName == state }.sorted {
                $0.since == $1.since ? $0.id.text < $1.id.text : $0.since > $1.since
            }
            return state == .retired ? Array(group.prefix(rememberedKeys)) : group
        }
    }
}

/// The reason why a change of the ring is refused.
package enum KeyChangeError: Equatable, Sendable {
    case unknownKey(String)
    /// The key is active.
    case activeKey(String)
    case retiredAlready(String)
    /// Verifiers may not have the next key yet.
    case notAnnounced(next: String, readyAt: Instant)
}
