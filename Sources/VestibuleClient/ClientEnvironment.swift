public import Foundation

/// The environment of the SDK: the time of day, a clock for waiting, and randomness.
///
/// An app uses the default, ``system``. A test passes its own environment, and so runs in virtual time.
public struct ClientEnvironment: Sendable {
    /// The wall clock, for the expiry of cookies and tokens that outlive the process.
    public let now: @Sendable () -> Date
    /// A clock that only goes forward, also while the device sleeps.
    ///
    /// Only the differences of its readings have a meaning.
    public let uptime: @Sendable () -> Duration
    /// Returns after that time; throws `CancellationError` if the task is cancelled.
    public let sleep: @Sendable (Duration) async throws -> Void
    /// Returns that many bytes from a cryptographically secure source.
    public let randomBytes: @Sendable (Int) -> [UInt8]

    /// Creates an environment with those clocks and that source of randomness.
    public init(
        now: @escaping @Sendable () -> Date,
        uptime: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        randomBytes: @escaping @Sendable (Int) -> [UInt8]
    ) {
        self.now = now
        self.uptime = uptime
        self.sleep = sleep
        self.randomBytes = randomBytes
    }

    /// Returns a uniformly random number in `0 ..< 1`.
    func unitInterval() -> Double {
        let word = randomBytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Double(word >> 11) / Double(UInt64(1) << 53)
    }

    /// Waits, unless the task is cancelled.
    func pause(_ duration: Duration) async throws(FaceLoginError) {
        do {
            try await sleep(duration)
        } catch {
            throw .cancelled
        }
    }
}
