import Fuzzing
import Testing

/// The inputs of one fuzzing test, made from valid ones.
///
/// Of all of them must hold: some are accepted and others are not, and memory stays bounded.
///
/// A hang is what the suite's time limit is for.
struct FuzzedInputs {
    /// Tells the test's inputs from those of others.
    let seed: UInt64
    /// The texts that are inserted besides odd bytes; at least one.
    let tokens: [String]
    var count = FuzzRun.inputs

    /// Changes inputs of the corpus, but for one of sixteen; `take` says whether one was read.
    func change(
        _ corpus: [[UInt8]],
        in test: String = #function,
        _ take: ([UInt8], Int) async throws -> Bool
    ) async throws {
        try #require(!corpus.isEmpty)
        try await make(in: test, { Self.changed($0.pick(corpus), by: &$0) }, take)
    }

    /// The same of inputs that `make` makes.
    func make<Input>(
        in test: String = #function,
        _ make: (inout Mutator) -> Input,
        _ take: (Input, Int) async throws -> Bool
    ) async throws {
        let before = PeakMemory.bytes()
        let clock = ContinuousClock()
        let start = clock.now
        var random = Mutator(seed: FuzzRun.seed &+ seed, tokens: tokens)
        var (taken, slowest) = (0, Duration.zero)
        for number in 0..<count {
            try Task.checkCancellation()
            let input = make(&random)
            let begun = clock.now
            if try await take(input, number) { taken += 1 }
            slowest = max(slowest, clock.now - begun)
        }
        #expect(taken > 0 && taken < count, "what is right is taken, and what is broken isn't: \(taken) of \(count)")
        guard FuzzRun.isOfItsOwn else { return }
        let growth = (try #require(PeakMemory.bytes())) - (try #require(before))
        #expect(growth < PeakMemory.mostGrowth, "memory is bounded")
        let took = "\((clock.now - start).components.seconds) s, the slowest \(Int(slowest / .milliseconds(1))) ms"
        print("fuzz: \(test): \(count) inputs, \(taken) taken, \(took), peak +\(growth >> 20) MB")
    }

    /// The bytes after a few changes; one time in sixteen as they were.
    static func changed(_ bytes: [UInt8], by random: inout Mutator) -> [UInt8] {
        guard random.below(16) > 0 else { return bytes }
        var bytes = bytes
        for _ in 0...random.below(4) { random.mutate(&bytes) }
        return bytes
    }
}
