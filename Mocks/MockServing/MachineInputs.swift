package import Kernel

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The inputs of a mock from outside, so that a test can replay every run.
package struct MachineInputs: Sendable {
    package typealias RandomBytes = @Sendable (Int) -> [UInt8]

    package let now: @Sendable () -> Instant
    package let randomBytes: RandomBytes

    package init(now: @escaping @Sendable () -> Instant, randomBytes: @escaping RandomBytes) {
        self.now = now
        self.randomBytes = randomBytes
    }

    /// The machine's own clock and randomness: the only place of the mocks that has them.
    package static let live = MachineInputs(now: clock) { count in
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 7)
        while bytes.count < count { withUnsafeBytes(of: generator.next()) { bytes += $0 } }
        return Array(bytes.prefix(count))
    }

    private static let clock: @Sendable () -> Instant = {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
