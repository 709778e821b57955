public import Foundation

/// The environment of the SDK: the time of day, a clock for waiting, randomness.
///
/// An app keeps the default, ``system``; a test passes its own, and so runs in virtual time.
public struct ClientEnvironment: Sendable {
    /// The wall clock: for the expiry of cookies and tokens, which outlives the process.
    public let now: @Sendable () -> Date
    /// A reading of a clock that only ever goes forward, also while the device sleeps; only differences mean anything.
    public let uptime: @Sendable () -> Duration
    /// Returns after that time; throws `CancellationError` when the task is cancelled.
    public let sleep: @Sendable (Duration) async throws -> Void
    /// Returns that many bytes from a cryptographically secure source.
    public let randomBytes: @Sendable (Int) -> [UInt8]

    /// Environment from those sources.
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

    /// A uniform number in `0 ..< 1`.
    func unitInterval() -> Double {
        let word = randomBytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Double(word >> 11) / Double(UInt64(1) << 53)
    }

    /// A wait that only a cancelled task cuts short.
    func pause(_ duration: Duration) async throws(FaceLoginError) {
        do {
            try await sleep(duration)
        } catch {
            throw .cancelled
        }
    }
}
