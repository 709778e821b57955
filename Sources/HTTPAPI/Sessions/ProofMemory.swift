import Kernel
import Synchronization

/// The used DPoP proofs, for as long as each is valid: a proof is accepted once (RFC 9449 §11.1).
///
/// The capacity is fixed. A full memory accepts no further proof until the oldest ones have expired, because a proof
/// that is forgotten earlier could be used twice.
package final class ProofMemory: Sendable {
    /// The result of remembering a proof.
    enum Outcome: Equatable {
        case new
        case used
        /// The memory is full, for at most this time.
        case full(Duration)
    }

    /// The marks of the current and the previous generation.
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
    /// A random key of this memory, so that a client cannot choose where the mark of its proof is stored.
    private let key: KeyedHash

    /// `capacity`: The number of proofs in one generation, half of the total.
    ///
    /// `lifetime`: The time for which a proof is valid, and the length of a generation.
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

    /// Returns what ``note(_:)`` would answer, and remembers nothing.
    func answer(_ mark: Digest256) -> Outcome { outcome(mark, isNoted: false) }

    /// Remembers the proof, unless it was used before.
    ///
    /// Proofs are compared by 64 bits of a keyed hash. Among a million proofs, one new proof in 10 million million is
    /// mistaken for a used one.
    func note(_ mark: Digest256) -> Outcome { outcome(mark, isNoted: true) }

    private func outcome(_ mark: Digest256, isNoted: Bool) -> Outcome {
        let now = clock.now
        let mark = keyed(mark)
        let stripe = stripes[Int(truncatingIfNeeded: mark % UInt64(Self.stripeCount))]
        return stripe.marks.withLock { marks in
            rotate(&marks, at: now)
            if marks.newer.contains(mark) || marks.older.contains(mark) { return .used }
            guard marks.newer.count < capacity else { return .full(marks.rotatedAt + lifetime - now) }
            if isNoted { marks.newer.insert(mark) }
            return .new
        }
    }

    private func keyed(_ mark: Digest256) -> UInt64 { key.digest(mark.bytes).prefixWord }

    /// Drops a generation only after the whole of the next one, so that each mark is kept for at least one generation.
    private func rotate(_ marks: inout Marks, at now: Uptime) {
        let age = now - marks.rotatedAt
        guard age >= lifetime else { return }
        marks.older = age < lifetime + lifetime ? marks.newer : []
        marks.newer = []
        marks.rotatedAt = now
    }
}
