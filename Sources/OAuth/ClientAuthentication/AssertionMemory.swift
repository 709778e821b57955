package import Kernel
internal import Synchronization

/// The assertions that were used, for as long as each is good: one counts once (RFC 7523 §3 item 7).
///
/// It has room for so many of a client and no more. One that is full lets no further assertion in until the oldest have run
/// out: to forget one early would let it count twice. A client that fills its room stands in the way of the few that share
/// it, and of nobody else.
package final class AssertionMemory: Sendable {
    /// What came of an assertion.
    package enum Answer: Sendable, Equatable {
        case new
        case used
        /// No room for one that is good as long, for about that long.
        case full(Duration)
    }

    /// The marks of assertions that run out in the same minute, by that minute.
    private struct Marks {
        var minutes: [Int64: Set<UInt64>] = [:]
        var count = 0
        /// The last minute that was forgotten: an assertion of it or of one before is not taken, so that a clock that is set
        /// back brings none to life.
        var forgotten = Int64.min
    }

    private final class Stripe: Sendable {
        let marks = Mutex(Marks())
    }

    private static let stripeCount = 16

    private let stripes: [Stripe]
    private let room: Int
    /// Made anew for each memory: who chooses what is in an assertion can't choose where its mark falls.
    private let key: KeyedHash

    /// `room`: how many assertions are remembered of the clients of one stripe in sixteen; each takes about 16 bytes.
    package init(room: Int = 262_144, environment: Environment) {
        self.room = room
        key = KeyedHash(randomFrom: environment)
        stripes = (0..<Self.stripeCount).map { _ in Stripe() }
    }

    /// How many are remembered.
    package var count: Int { stripes.reduce(0) { sum, stripe in sum + stripe.marks.withLock(\.count) } }

    /// Remembers a client's assertion until it runs out, unless it does already.
    func note(_ id: String, of client: String, until end: Instant, at now: Instant) -> Answer {
        let (minute, current) = (end.milliseconds / 60_000, now.milliseconds / 60_000)
        let mark = keyed(client + "\n" + id)
        let stripe = stripes[Int(truncatingIfNeeded: keyed(client) % UInt64(Self.stripeCount))]
        return stripe.marks.withLock { marks in
            Self.forget(&marks, before: current)
            guard minute > marks.forgotten else { return .used }
            if marks.minutes[minute]?.contains(mark) == true { return .used }
            guard marks.count < room else { return .full(.seconds(60)) }
            marks.minutes[minute, default: []].insert(mark)
            marks.count += 1
            return .new
        }
    }

    private static func forget(_ marks: inout Marks, before current: Int64) {
        guard marks.forgotten < current - 1 else { return }
        for minute in marks.minutes.keys where minute < current {
            marks.count -= marks.minutes.removeValue(forKey: minute)?.count ?? 0
        }
        marks.forgotten = current - 1
    }

    private func keyed(_ text: String) -> UInt64 { key.digest(Array(text.utf8)).prefixWord }
}
