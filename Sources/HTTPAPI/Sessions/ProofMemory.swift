import Kernel
import Synchronization

/// The used DPoP proofs, for as long as a proof is valid: each counts once (RFC 9449 §11.1).
///
/// Its capacity is fixed. A full memory admits no further proof until the oldest may be forgotten: a proof that is
/// forgotten early could count twice.
package final class ProofMemory: Sendable {
    /// The result of noting a proof.
    enum Outcome: Equatable {
        case new
        case used
        /// The memory is full, for at most that long.
        case full(Duration)
    }

    /// The marks of the current generation, and of the previous one.
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
    /// A random key for each memory, so that a client cannot choose where a proof's mark is stored.
    private let key: KeyedHash

    /// `capacity` is the number of proofs of one generation, half of the total; a proof and a generation last for
    /// `lifetime`.
    init(capacity: Int, lifetime: Duration, environment: Environment) {
        let clock = environment.clock
        self.capacity = max(1, capacity / Self.stripeCount)
        self.lifetime = lifetime
        self.clock = clock
        key = KeyedHash(randomFrom: environment)
        stripes = (0..<Self.stripeCount).map { _ in Stripe(at: clock.now) }
    }

    /// The number of remembered proofs.
    package var count: Int {
        stripes.reduce(0) { sum, stripe in sum + stripe.marks.withLock { $0.newer.count + $0.older.count } }
    }

    /// Remembers the proof, unless it is known.
    ///
    /// 64 bits of its keyed mark count: among a million, one in ten million million is taken for another proof.
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

    /// Keeps a generation through the whole of the next one, so that each mark lasts for one generation at least.
    private func rotate(_ marks: inout Marks, at now: Uptime) {
        let age = now - marks.rotatedAt
        guard age >= lifetime else { return }
        marks.older = age < lifetime + lifetime ? marks.newer : []
        marks.newer = []
        marks.rotatedAt = now
    }
}
