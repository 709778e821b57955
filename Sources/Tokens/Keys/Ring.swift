package import Kernel
internal import TokenReading

/// The keys and what becomes of them: a pure value, without clock, disk or randomness.
///
/// There is one active key and one next key at any time; every step leaves it so.
struct Ring: Sendable {
    /// How many retired keys are remembered, for the operator and for a clear refusal.
    static let rememberedKeys = 16

    /// The active key, the next one, then those that retire and those that are retired, the latest first.
    private(set) var keys: [RingKey]

    /// A ring of those keys, which ``fault(in:)`` found nothing wrong with.
    init(_ keys: [RingKey]) { self.keys = Self.sorted(keys) }

    /// A first ring: `first` signs at once, as nobody has heard of any other.
    init(first: SigningKey, next: SigningKey, now: Instant, longestToken: Duration) {
        self.init([
            RingKey(first, createdAt: now, state: .active(first, since: now, longestToken: longestToken)),
            RingKey(next: next, createdAt: now),
        ])
    }

    /// Returns what keeps those keys from being a ring; `nil` when nothing does.
    ///
    /// A ring without a next key is one of an earlier version: it gets one.
    static func fault(in keys: [RingKey]) -> KeyError.Damage? {
        let active = keys.count { $0.stateName == .active }
        guard active == 1 else { return .activeKeys(active) }
        let next = keys.count { $0.stateName == .next }
        return next <= 1 ? nil : .nextKeys(next)
    }

    var next: RingKey? { keys.first { $0.stateName == .next } }

    /// The next key signs from now on, and `successor` is the next.
    ///
    /// The key that signed until now retires: what it signed has `longestToken` to expire, or longer if it ever signed for
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

    /// Retires those whose last token has expired; returns them.
    mutating func retireOverdue(now: Instant) -> [KeyID] {
        let overdue = Set(overdue(at: now).map(\.id))
        for index in keys.indices where overdue.contains(keys[index].id) { keys[index].state = .retired(at: now) }
        keys = Self.sorted(keys)
        return keys.map(\.id).filter(overdue.contains)
    }

    /// Retires a key before its time: from now on nothing that it signed is accepted.
    ///
    /// The next key is replaced by `replacement`. The one that signs can't be retired.
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

    /// Puts `key` in the place of the next one, which never signed anything, and was perhaps never there.
    mutating func replaceNext(with key: SigningKey, now: Instant) {
        keys = Self.sorted(keys.filter { $0.stateName != .next } + [RingKey(next: key, createdAt: now)])
    }

    /// Notes that the active key signs for as long as that; whether that is news.
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

    /// Dates what a clock that was ahead has dated later than now as of now; returns those keys.
    mutating func redate(now: Instant) -> [KeyID] {
        let ahead = keys.filter { $0.isDated(after: now) }.map(\.id)
        if !ahead.isEmpty { keys = Self.sorted(keys.map { $0.redated(now) }) }
        return ahead
    }

    /// Returns those that retire and whose last token has expired.
    func overdue(at now: Instant) -> [RingKey] {
        keys.filter { key in
            guard case .retiring(_, _, let until) = key.state else { return false }
            return now >= until
        }
    }

    private static func sorted(_ keys: [RingKey]) -> [RingKey] {
        // By the date of the change, not of creation: the clock may have been set back between two rotations.
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
