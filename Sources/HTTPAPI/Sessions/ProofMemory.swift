import Kernel
import Synchronization

/// The DPoP proofs that were used, for as long as one is good: each counts once (RFC 9449 §11.1).
///
/// It has room for so many and no more. One that is full lets no further proof in until the oldest may be forgotten: to
/// forget one early would let it count twice.
package final class ProofMemory: Sendable {
    /// What came of a proof.
    enum Answer: Equatable {
        case new
        case used
        /// No room, for at most that long.
        case full(Duration)
    }

    /// Those since the last turn, and those of the turn before.
    private struct Marks {
        var newer: Set<UInt64> = []
        var older: Set<UInt64> = []
        var turnedAt: Uptime
    }

    private final class Stripe: Sendable {
        let marks: Mutex<Marks>
        init(at now: Uptime) { marks = Mutex(Marks(turnedAt: now)) }
    }

    private static let stripeCount = 16

    private let stripes: [Stripe]
    private let room: Int
    private let lasting: Duration
    private let clock: any MonotonicClock
    /// Made anew for each memory: who chooses what is in a proof can't choose where its mark falls.
    private let key: KeyedHash

    /// `room`: how many proofs are remembered of one turn, twice as many in all; `lasting`: how long a proof is good, and
    /// a turn lasts.
    init(room: Int, lasting: Duration, environment: Environment) {
        let clock = environment.clock
        self.room = max(1, room / Self.stripeCount)
        self.lasting = lasting
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
    func note(_ mark: Digest256) -> Answer {
        let now = clock.now
        let mark = keyed(mark)
        let stripe = stripes[Int(truncatingIfNeeded: mark % UInt64(Self.stripeCount))]
        return stripe.marks.withLock { marks in
            turn(&marks, at: now)
            if marks.newer.contains(mark) || marks.older.contains(mark) { return .used }
            guard marks.newer.count < room else { return .full(marks.turnedAt + lasting - now) }
            marks.newer.insert(mark)
            return .new
        }
    }

    private func keyed(_ mark: Digest256) -> UInt64 { key.digest(mark.bytes).prefixWord }

    /// What a turn has is kept through the whole of the next one, so that each mark lasts for one turn at least.
    private func turn(_ marks: inout Marks, at now: Uptime) {
        let age = now - marks.turnedAt
        guard age >= lasting else { return }
        marks.older = age < lasting + lasting ? marks.newer : []
        marks.newer = []
        marks.turnedAt = now
    }
}
