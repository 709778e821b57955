internal import Kernel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension VerifierTime {
    /// The system's clocks, which the verifier reads only here.
    static let system: VerifierTime = {
        let start = ContinuousClock.now
        return VerifierTime(
            now: { Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) },
            uptime: { Uptime(nanoseconds: start.duration(to: .now).wholeNanoseconds) }
        )
    }()
}
