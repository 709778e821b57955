internal import Synchronization

/// How the daemons that share a database share the limits of requests.
///
/// A small limit is counted in the database by all of them together, because a few tries more would matter: codes,
/// wrong answers, mails to one mailbox. A larger one is divided by their number, so that a flood costs no statements.
/// A daemon without others counts alone, and pays nothing for this.
package final class LimitSharing: Sendable {
    /// The largest burst of a limit that is counted in the database.
    package static let largestCounted = 50
    /// For so long after a use with other daemons in sight, small limits are still counted in the database.
    ///
    /// In an outage the leases of others end before the daemons do.
    private static let memory: Duration = .seconds(600)

    /// Makes the keys of limits, the same on every daemon.
    ///
    /// A caller can choose neither its slot in a table nor its row.
    package let hash: KeyedHash
    package let clock: any MonotonicClock
    private let uses: (any SharedUses)?
    private let nodes: any NodeMembership
    /// Until when small limits are counted in the database, in nanoseconds of the monotonic clock.
    private let sharedUntil = Atomic<Int64>(.min)

    /// Creates the sharing of the daemons of a database.
    ///
    /// - Parameters:
    ///   - hash: Its key is the same on every daemon.
    ///   - uses: `nil` for a database that only one daemon can use.
    ///   - nodes: The daemons.
    ///   - clock: The clock of the tables in memory.
    package init(_ hash: KeyedHash, uses: (any SharedUses)?, nodes: any NodeMembership, clock: any MonotonicClock) {
        self.hash = hash
        self.uses = uses
        self.nodes = nodes
        self.clock = clock
    }

    /// Creates that of a daemon without others, with keys of this process.
    package convenience init(aloneIn environment: Environment) {
        self.init(KeyedHash(randomFrom: environment), uses: nil, nodes: SingleNode(), clock: environment.clock)
    }

    /// Returns this daemon's part of a limit that each daemon counts by itself.
    ///
    /// At least ``smallestPart`` at once, or as many as the limit allows, because a balancer does not spread requests
    /// evenly. In the long run all parts together are the limit.
    package func part(of limit: RateLimit) -> RateLimit {
        _ = count()
        var part = limit.divided(by: nodes.peers.serving)
        part.burst = max(part.burst, min(limit.burst, Self.smallestPart))
        return part
    }

    /// The least burst of a part of a limit.
    private static let smallestPart = 16

    /// Returns the uses in the database, if the limit is counted there at the moment.
    func common(_ limit: RateLimit) -> (any SharedUses)? {
        guard let uses, limit.burst <= Self.largestCounted else { return nil }
        return count() > 1 || clock.now.nanoseconds < sharedUntil.load(ordering: .relaxed) ? uses : nil
    }

    /// Returns the key by which a limit counts another key in the database, so that no two limits share a row.
    func stored(_ key: UInt64, of limit: String) -> UInt64 {
        hash.digest(withUnsafeBytes(of: key.littleEndian) { Array($0) }, purpose: "limit \(limit)").prefixWord
    }

    /// Returns the number of daemons, and notes that there are others.
    private func count() -> Int {
        let count = nodes.peers.count
        if count > 1 {
            sharedUntil.store((clock.now + Self.memory).nanoseconds, ordering: .relaxed)
        }
        return count
    }
}
