import FoundationEssentials
import Glibc
import Kernel
import Synchronization

extension Environment {
    /// The machine's clock and randomness, which nothing else in the program reads.
    static let system = Environment(
        now: { Instant(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down))) },
        clock: SystemClock(),
        randomBytes: { count in EntropyPool.shared.take(count) }
    )
}

/// Random bytes of the kernel, fetched by the kilobyte.
///
/// A sign-in needs them four times, and each system call costs more than the bytes.
///
/// Bytes that were handed out are wiped, so that the pool never reveals secrets in use.
private final class EntropyPool: Sendable {
    static let shared = EntropyPool()

    private let pool = Mutex(Pool())

    func take(_ count: Int) -> [UInt8] { pool.withLock { $0.take(count) } }

    private struct Pool {
        private var bytes = [UInt8](repeating: 0, count: 1024)
        /// The number of bytes, at the end of the pool, that were not handed out yet.
        private var left = 0

        mutating func take(_ count: Int) -> [UInt8] {
            [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
                while initialized < count {
                    if left == 0 { refill() }
                    let next = bytes.count - left
                    buffer.initializeElement(at: initialized, to: bytes[next])
                    bytes[next] = 0
                    left -= 1
                    initialized += 1
                }
            }
        }

        private mutating func refill() {
            bytes.withUnsafeMutableBytes { bytes in
                var filled = 0
                // getentropy(3) returns at most 256 bytes a call: all or none.
                while filled < bytes.count {
                    let chunk = min(256, bytes.count - filled)
                    if getentropy(bytes.baseAddress?.advanced(by: filled), chunk) == 0 { filled += chunk }
                }
            }
            left = bytes.count
        }
    }
}

/// The system's monotonic clock, counted from its first use in the process.
private struct SystemClock: MonotonicClock {
    private static let start = ContinuousClock.now

    var now: Uptime { Uptime(nanoseconds: Self.start.duration(to: .now).wholeNanoseconds) }

    func sleep(until deadline: Uptime) async throws {
        try await Task.sleep(until: Self.start.advanced(by: .nanoseconds(deadline.nanoseconds)), clock: .continuous)
    }
}
