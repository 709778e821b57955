/// A clock for waiting: monotonic, and settable in a test.
package protocol MonotonicClock: Sendable {
    var now: Uptime { get }

    /// Returns at `deadline` or later, or throws `CancellationError` when the task is cancelled.
    func sleep(until deadline: Uptime) async throws
}

/// The inputs that a deterministic core takes from outside: the time of day, a monotonic clock, randomness.
///
/// The program makes its only instance in Vestibule/SystemEnvironment.swift. A test passes its own, and so replays
/// every run.
package struct Environment: Sendable {
    /// The wall clock: for what is stored or signed.
    ///
    /// It may be stepped at any time.
    package let now: @Sendable () -> Instant
    /// The clock for waits and intervals.
    package let clock: any MonotonicClock
    /// Returns the given number of bytes from a cryptographically secure source.
    package let randomBytes: @Sendable (Int) -> [UInt8]
    /// The form of new ids, which is that of the database.
    package let ids: IDForm

    package init(
        now: @escaping @Sendable () -> Instant,
        clock: any MonotonicClock,
        ids: IDForm = .ordered,
        randomBytes: @escaping @Sendable (Int) -> [UInt8]
    ) {
        self.now = now
        self.clock = clock
        self.ids = ids
        self.randomBytes = randomBytes
    }

    /// Returns the same environment with ids of that form.
    package func making(_ ids: IDForm) -> Environment {
        Environment(now: now, clock: clock, ids: ids, randomBytes: randomBytes)
    }

    /// Returns a new random (version 4) UUID.
    package func newUUID() -> UUIDBits { UUIDBits(version4: randomBytes(16)) }

    /// Returns a new secret of 256 bits, base64url.
    package func newSecret() -> Secret { Secret(Base64URL.encode(randomBytes(32))) }

    /// Returns a uniform number in `0 ..< 1`.
    package func unitInterval() -> Double {
        let word = randomBytes(8).reduce(into: UInt64(0)) { $0 = $0 << 8 | UInt64($1) }
        return Double(word >> 11) / Double(UInt64(1) << 53)
    }
}
