import Kernel
import Synchronization

/// The DPoP proofs that were used, for as long as one is good: each counts once (RFC 9449 §11.1).
///
/// It has room for so many and no more. One that is full lets no further proof in until the oldest may be forgotten: to
/// forget one early would let it count twice.
package final class ProofMemory: Sendable {
    /// What came of a proof.
    enum Outcome: Equatable {
        case new
        case used
        /// No room, for at most that long.
        case full(Duration)
    }

    /// Those since the last turn, and those of the turn before.
    private struct Marks {
        var newer: Set<UInt64> = []
        var older: Set<UInt64> = []
        var rotatedAt: Uptime
    }

    private final class Stripe: Sendable {
        let marks: Mutex<Marks>
        init(at now: Uptime) { marks = Mutex(Marks(rotatedAt: now)) }
    }

    private static let stripeCount = 16

    private let stripes: [Stripe]
    private let capacity: Int
    private let lifetime: Duration
    private let clock: any MonotonicClock
    /// Made anew for each memory: who chooses what is in a proof can't choose where its mark falls.
    private let key: KeyedHash

    /// `capacity`: how many proofs are remembered of one turn, twice as many in all; `lifetime`: how long a proof is good, and
    /// a turn lasts.
    init(capacity: Int, lifetime: Duration, environment: Environment) {
        let clock = environment.clock
        self.capacity = max(1, capacity / Self.stripeCount)
        self.lifetime = lifetime
        self.clock = clock
        key = KeyedHash(randomFrom: environment)
        stripes = (0..<Self.stripeCount).map { _ in Stripe(at: clock.now) }
    }

    /// How many are remembered.
    package var count: Int {
        stripes.reduce(0) { sum, stripe in sum + stripe.marks.withLock { $0.newer.count + $0.older.count } }
    }

    /// Remembers the proof, unless it does already.
    ///
    /// By 64 bits of its keyed mark: among a million, one in ten million million is taken for another.
    func note(_ mark: Digest256) -> Outcome {
        let now = clock.now
        let mark = keyed(mark)
        let stripe = stripes[Int(truncatingIfNeeded: mark % UInt64(Self.stripeCount))]
        return stripe.marks.withLock { marks in
            rotate(&marks, at: now)
            if marks.newer.contains(mark) || marks.older.contains(mark) { return .used }
            guard marks.newer.count < capacity else { return .full(marks.rotatedAt + lifetime - now) }
            marks.newer.insert(mark)
            return .new
        }
    }

    private func keyed(_ mark: Digest256) -> UInt64 { key.digest(mark.bytes).prefixWord }

    /// What a turn has is kept through the whole of the next one, so that each mark lasts for one turn at least.
    private func rotate(_ marks: inout Marks, at now: Uptime) {
        let age = now - marks.rotatedAt
        guard age >= lifetime else { return }
        marks.older = age < lifetime + lifetime ? marks.newer : []
        marks.newer = []
        marks.rotatedAt = now
    }
}
