package import Kernel
internal import Synchronization

/// Remembers used assertions while they are valid, so that each is accepted once (RFC 7523 §3 item 7).
///
/// Each client is assigned to one of sixteen stripes of bounded size. A full stripe refuses further assertions until
/// the oldest expire: if one were forgotten early, it could be used twice. A client that fills its stripe affects only
/// the clients of that stripe.
package final class AssertionMemory: Sendable {
    /// The result of recording an assertion.
    package enum Answer: Sendable, Equatable {
        case new
        case used
        /// The stripe is full for about that long.
        case full(Duration)
    }

    /// The keyed hashes of assertions by the minute of their expiry.
    private struct Marks {
        var minutes: [Int64: Set<UInt64>] = [:]
        var count = 0
        /// The last minute whose hashes were deleted.
        ///
        /// Assertions up to it are refused, so that a clock set back revives none.
        var forgotten = Int64.min
    }

    private final class Stripe: Sendable {
        let marks = Mutex(Marks())
    }

    private static let stripeCount = 16

    private let stripes: [Stripe]
    private let limit: Int
    /// A random key of this instance, so that the author of an assertion cannot choose its hash.
    private let key: KeyedHash

    /// `limit` is the most assertions of one stripe.
    ///
    /// Each takes about 16 bytes.
    package init(limit: Int = 262_144, environment: Environment) {
        self.limit = limit
        key = KeyedHash(randomFrom: environment)
        stripes = (0..<Self.stripeCount).map { _ in Stripe() }
    }

    /// The number of remembered assertions.
    package var count: Int { stripes.reduce(0) { sum, stripe in sum + stripe.marks.withLock(\.count) } }

    /// Records a client's assertion until it expires.
    func note(_ id: String, of client: String, until end: Instant, at now: Instant) -> Answer {
        let (minute, current) = (end.milliseconds / 60_000, now.milliseconds / 60_000)
        let mark = keyed(client + "\n" + id)
        let stripe = stripes[Int(truncatingIfNeeded: keyed(client) % UInt64(Self.stripeCount))]
        return stripe.marks.withLock { marks in
            Self.forget(&marks, before: current)
            guard minute > marks.forgotten else { return .used }
            if marks.minutes[minute]?.contains(mark) == true { return .used }
            guard marks.count < limit else { return .full(.seconds(60)) }
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
