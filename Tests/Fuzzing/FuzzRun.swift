import Foundation

/// How much a fuzzing test does: `FUZZ_INPUTS` inputs (50,000) from `FUZZ_SEED` (1).
package enum FuzzRun {
    package static let inputs = number("FUZZ_INPUTS", 50_000)
    package static let seed = UInt64(number("FUZZ_SEED", 1))

    private static func number(_ name: String, _ otherwise: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? otherwise
    }
}
