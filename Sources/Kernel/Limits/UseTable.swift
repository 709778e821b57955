internal import Synchronization

/// The use of a limit by many keys, in a table that never grows.
///
/// A key has a set of eight slots, picked by its keyed digest, so that an outsider can't know which keys share it. A
/// slot is free again once its use has expired, which for one request in a while is a moment. Where all eight are
/// taken, the new key replaces the one that used least. A flood of new names replaces only itself, and an exhausted
/// budget stays on record. Being replaced harms nobody: it gives a full budget back.
package final class UseTable: Sendable {
    /// Places of a set.
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

    /// `stripes` sets are locked apart from one another; the defaults make 65,536 slots of 16 bytes.
    package init(stripes: Int = 64, setsPerStripe: Int = 128) {
        self.stripes = (0..<stripes).map { _ in Stripe(count: setsPerStripe * Self.ways) }
        self.setsPerStripe = setsPerStripe
    }

    /// Takes one of the key's budget; `nil` when there was one, else how long until there is.
    package func take(_ key: UInt64, _ limit: RateLimit, at now: Uptime) -> Duration? {
        withUse(of: key) { limit.take(&$0, at: now) }
    }

    /// Gives one of the key's budget back that was taken; nothing happens if what it used is forgotten.
    package func giveBack(_ key: UInt64, _ limit: RateLimit) {
        let (stripe, set) = home(of: key)
        stripe.slots.withLock { slots in
            guard let index = set.first(where: { slots[$0].key == key }) else { return }
            limit.giveBack(&slots[index].use)
        }
    }

    /// Returns how long until there is one to take of the key's budget; `nil` when there is one now.
    package func wait(_ key: UInt64, _ limit: RateLimit, at now: Uptime) -> Duration? {
        let (stripe, set) = home(of: key)
        return stripe.slots.withLock { slots in
            slots[set].first { $0.key == key }.flatMap { limit.wait($0.use, at: now) }
        }
    }

    /// Notes something about the key that is forgotten at `end`.
    package func mark(_ key: UInt64, until end: Uptime) {
        withUse(of: key) { $0.paidUntil = max($0.paidUntil, end.nanoseconds) }
    }

    /// Returns whether something is noted about the key.
    package func isMarked(_ key: UInt64, at now: Uptime) -> Bool {
        let (stripe, set) = home(of: key)
        return stripe.slots.withLock { slots in
            slots[set].contains { $0.key == key && $0.use.paidUntil > now.nanoseconds }
        }
    }

    /// How many slots there are, however many ask.
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
