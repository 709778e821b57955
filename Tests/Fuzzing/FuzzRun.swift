import Foundation

/// Which of the two sizes the tests run at: those of `make test`, or with `VESTIBULE_TEST_SIZE=long` those of
/// `make test-long`.
package enum TestSize {
    package static let isLong = ProcessInfo.processInfo.environment["VESTIBULE_TEST_SIZE"] == "long"
}

/// How much a fuzzing test does: `FUZZ_INPUTS` inputs (2,000, of the long tests 50,000) from `FUZZ_SEED` (1).
package enum FuzzRun {
    package static let inputs = number("FUZZ_INPUTS", TestSize.isLong ? 50_000 : 2_000)
    package static let seed = UInt64(number("FUZZ_SEED", 1))

    /// The fewest inputs of an expensive test that still come by each of its cases.
    private static let fewest = 500

    /// The inputs of an expensive test: all where `FUZZ_INPUTS` sets how many, else one in so many.
    package static func dearInputs(oneIn part: Int) -> Int {
        isOfItsOwn ? inputs : max(min(inputs, fewest), inputs / part)
    }

    /// Whether nothing else runs beside it, so that the memory of the process is the fuzzing's.
    package static let isOfItsOwn = ProcessInfo.processInfo.environment["FUZZ_INPUTS"] != nil

    /// How many minutes a test may take before it counts as one that hangs.
    package static let minutes = 10 + inputs / 50_000

    /// The numbers of so many inputs, from `FUZZ_FIRST` (0) on: of tests whose inputs do not depend on one another.
    package static func numbers(_ count: Int) -> Range<Int> {
        let first = max(0, number("FUZZ_FIRST", 0))
        return first..<first + max(1, count)
    }

    private static func number(_ name: String, _ otherwise: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? otherwise
    }
}
