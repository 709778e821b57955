import FoundationEssentials
import Glibc
import Kernel

extension Facts {
    /// The machine's own clock and randomness: the one place where they come in.
    static let system = Facts(
        now: { Instant(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down))) },
        clock: SystemClock(),
        randomBytes: { count in
            [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
                // getentropy(3): the kernel's generator, at most 256 bytes a call, all of them or none.
                while initialized < count {
                    let chunk = min(256, count - initialized)
                    if getentropy(buffer.baseAddress?.advanced(by: initialized), chunk) == 0 { initialized += chunk }
                }
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
