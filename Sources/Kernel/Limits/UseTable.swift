internal import Synchronization

/// The use of a limit by many keys, in a table of fixed size.
///
/// A key has a set of eight slots, picked by its keyed digest, so that an outsider can't know which keys share a set. A
/// slot is free again once its use has expired, which takes only a moment after a single request. If all eight are
/// taken, the new key replaces the key that used least. So a flood of new keys replaces only its own, and an exhausted
/// budget stays on record. A replaced key gets a full budget back, which harms no caller.
package final class UseTable: Sendable {
    /// The slots of a set.
    static let ways = 8

    private struct Slot {
        var key: UInt64 = 0
        var use = RateLimit.Use()
    }

    private final class Stripe: Sendable {
        let slots: Mutex<[Slot]>
        init(count: Int) { slots = Mutex(Array(repeating: Slot(), count: count)) }
    }

    private let stripes: [Stripe]
    private let setsPerStripe: Int

    /// Each of the `stripes` has a lock of its own, and the defaults make 65,536 slots of 16 bytes.
    package init(stripes: Int = 64, setsPerStripe: Int = 128) {
        self.stripes = (0..<stripes).map { _ in Stripe(count: setsPerStripe * Self.ways) }
        self.setsPerStripe = setsPerStripe
    }

    /// Takes one request of the key's budget; returns `nil` if there was one, otherwise how long until there is.
    package func take(_ key: UInt64, _ limit: RateLimit, at now: Uptime) -> Duration? {
        withUse(of: key) { limit.take(&$0, at: now) }
    }

    /// Gives back one request that was taken of the key's budget, unless the key was replaced.
    package func giveBack(_ key: UInt64, _ limit: RateLimit) {
        let (stripe, set) = home(of: key)
        stripe.slots.withLock { slots in
            guard let index = set.first(where: { slots[$0].key == key }) else { return }
            limit.giveBack(&slots[index].use)
        }
    }

    /// Returns how long until the key's budget allows a request; `nil` if it allows one now.
    package func wait(_ key: UInt64, _ limit: RateLimit, at now: Uptime) -> Duration? {
        let (stripe, set) = home(of: key)
        return stripe.slots.withLock { slots in
            slots[set].first { $0.key == key }.flatMap { limit.wait($0.use, at: now) }
        }
    }

    /// Uses the key's budget up, so that it allows the next request after `wait` and not before.
    package func exhaust(_ key: UInt64, _ limit: RateLimit, for wait: Duration, at now: Uptime) {
        withUse(of: key) {
            $0.paidUntil = max($0.paidUntil, (now + wait + limit.period * (limit.burst - 1)).nanoseconds)
        }
    }

    /// Marks the key until `end`.
    package func mark(_ key: UInt64, until end: Uptime) {
        withUse(of: key) { $0.paidUntil = max($0.paidUntil, end.nanoseconds) }
    }

    /// Returns whether the key is marked.
    package func isMarked(_ key: UInt64, at now: Uptime) -> Bool {
        let (stripe, set) = home(of: key)
        return stripe.slots.withLock { slots in
            slots[set].contains { $0.key == key && $0.use.paidUntil > now.nanoseconds }
        }
    }

    /// The number of slots, which does not grow with the number of keys.
    var capacity: Int { stripes.count * setsPerStripe * Self.ways }

    private func withUse<Value: Sendable>(of key: UInt64, _ body: (inout RateLimit.Use) -> Value) -> Value {
        let (stripe, set) = home(of: key)
        return stripe.slots.withLock { slots in
            var least = set.lowerBound
            for index in set {
                if slots[index].key == key { return body(&slots[index].use) }
                if slots[index].use.paidUntil < slots[least].use.paidUntil { least = index }
            }
            slots[least] = Slot(key: key)
            return body(&slots[least].use)
        }
    }

    private func home(of key: UInt64) -> (Stripe, set: Range<Int>) {
        let stripe = stripes[Int(truncatingIfNeeded: key % UInt64(stripes.count))]
        let set = Int(truncatingIfNeeded: key / UInt64(stripes.count) % UInt64(setsPerStripe)) * Self.ways
        return (stripe, set..<(set + Self.ways))
    }
}
