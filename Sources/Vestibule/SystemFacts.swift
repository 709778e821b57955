import FoundationEssentials
import Kernel

extension Facts {
    /// The machine's own clock and randomness: the one place where they come in.
    static let system = Facts(
        now: { Instant(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down))) },
        clock: SystemClock(),
        randomBytes: { count in
            // The system generator is cryptographically secure and documented so (getrandom(2) on Linux).
            var generator = SystemRandomNumberGenerator()
            return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
                var offset = 0
                while offset < count {
                    var word = generator.next() as UInt64
                    let chunk = min(8, count - offset)
                    withUnsafeBytes(of: &word) { bytes in
                        for index in 0..<chunk { buffer[offset + index] = bytes[index] }
                    }
                    offset += chunk
                }
                initialized = count
            }
        }
    )
}

/// The system's monotonic clock, counted from the process's first look at it.
private struct SystemClock: MonotonicClock {
    private static let start = ContinuousClock.now

    var now: Uptime { Uptime(nanoseconds: Self.start.duration(to: .now).wholeNanoseconds) }

    func sleep(until deadline: Uptime) async throws {
        try await Task.sleep(until: Self.start.advanced(by: .nanoseconds(deadline.nanoseconds)), clock: .continuous)
    }
}
