import Glibc

/// The timed work: a verification of several inputs in turn.
struct Verification: Sendable {
    let name: String
    /// So many; throws for the first that doesn't hold.
    fileprivate let perform: @Sendable (Int) async throws -> Void
    /// Whether the wrong input is taken.
    fileprivate let takesWrong: @Sendable () async -> Bool

    /// `wrong`: an input that must not hold, for what takes everything is soon done.
    init<Input: Sendable>(
        _ name: String,
        _ inputs: [Input],
        wrong: Input,
        holds: @escaping @Sendable (Input) async throws -> Bool
    ) {
        self.name = name
        perform = { count in
            for turn in 0..<count {
                guard try await holds(inputs[turn % inputs.count]) else {
                    throw BenchError(text: "\(name): what is right was refused")
                }
            }
        }
        takesWrong = { (try? await holds(wrong)) == true }
    }
}

/// Verifications that are timed in turn with one another, so that whatever else the machine does meets all of them.
struct Contest {
    /// A few milliseconds.
    private static let batch = 64

    private let verifications: [Verification]

    init(_ verifications: [Verification]) { self.verifications = verifications }

    /// Does each for a while that counts for nothing.
    /// - Throws: ``BenchError`` if one of them takes what is wrong.
    func probe() async throws {
        for verification in verifications {
            guard await !verification.takesWrong() else {
                throw BenchError(text: "\(verification.name): what is wrong was taken")
            }
            try await verification.perform(4 * Self.batch)
        }
    }

    /// How many of each a second does; each has at least `seconds` of time.
    func run(seconds: Double) async throws -> [(name: String, rate: Double)] {
        var spent = [Double](repeating: 0, count: verifications.count)
        var turns = 0
        while spent.contains(where: { $0 < seconds }) {
            for (place, verification) in verifications.enumerated() {
                let start = Self.processorSeconds()
                try await verification.perform(Self.batch)
                spent[place] += Self.processorSeconds() - start
            }
            turns += 1
        }
        return zip(verifications, spent).map { ($0.name, Double(turns * Self.batch) / $1) }
    }

    /// The processor time of this process: only one verification runs at a time.
    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
