import FoundationEssentials
import Fuzzing
import Testing

// T-009, T-010, T-060, T-262
/// Seeded histories of the whole engine, each in virtual time and decided by its seed.
///
/// `VESTIBULE_SIM_HISTORIES` sets how many (2,000, of the long tests 20,000), `VESTIBULE_SIM_FIRST` the first seed; with
/// `VESTIBULE_SIM_SEED=n` that history alone is lived again and printed.
@Suite struct SimulationTests {
    @Test func `no simulated history violates an invariant`() async throws {
        if let seed = Self.number("VESTIBULE_SIM_SEED") {
            let report = await History.run(seed: seed, isTraced: true)
            print(report.trace.joined(separator: "\n"))
            #expect(report.violation == nil, "seed \(seed)")
            return
        }
        let first = Self.number("VESTIBULE_SIM_FIRST") ?? 1
        let count = Self.number("VESTIBULE_SIM_HISTORIES") ?? (TestSize.isLong ? 20_000 : 2_000)
        let lanes: UInt64 = 4
        let (census, failed) = await withTaskGroup(of: (Census, UInt64?).self) { group in
            for lane in 0..<lanes {
                group.addTask { await Self.live(stride(from: first + lane, to: first + count, by: Int(lanes))) }
            }
            return await group.reduce(into: (Census(), [UInt64]())) { all, lane in
                all.0.add(lane.0)
                if let seed = lane.1 { all.1.append(seed) }
            }
        }
        if let seed = failed.min() {
            let report = await History.run(seed: seed, isTraced: true)
            print(report.trace.joined(separator: "\n"))
            Issue.record("seed \(seed): \(report.violation ?? "a violation that did not come again")")
            return
        }
        print("\(count) histories: \(census)")
        if count >= 1000 { expectEveryCorner(census) }
    }

    @Test func `the same seed gives the same history`() async {
        for seed in UInt64(1)...20 {
            let first = await History.run(seed: seed, isTraced: true)
            let second = await History.run(seed: seed, isTraced: true)
            #expect(first.trace == second.trace, "seed \(seed)")
            #expect(first.violation == second.violation)
        }
    }

    /// A simulation that no longer reaches a corner would still pass, without guarding it.
    private func expectEveryCorner(_ census: Census) {
        #expect(census.nested > 0 && census.crashes > 0 && census.blocks > 0 && census.storeErrors > 0)
        #expect(census.denials > 0 && census.quieted > 0)
        #expect(census.failovers > 0 && census.begins > 0 && census.checks > 0 && census.decoys > 0 && census.twins > 0)
        #expect(census.completed > census.redelivered && census.redelivered > 0 && census.lateVerdicts > 0)
        #expect(census.returns > 0)
        #expect(census.enrolled > 0)
        #expect(census.parked > 0 && census.woken > 0 && census.released > 0 && census.turnedAway > 0)
        #expect(census.hooks > 0 && census.expedited > 0)
        let ends = [
            "closed", "failed expired", "failed canceled", "failed accountBlocked", "failed providerUnavailable",
            "failed providerError", "failed declined", "failed notMatched", "failed livenessFailed",
            "failed tooManyAttempts", "failed superseded", "failed deniedNotMe",
        ]
        for end in ends { #expect(census.ends[end] ?? 0 > 0, "no history ended as \(end)") }
    }

    /// The census of these seeds, up to the first that breaks a promise.
    private static func live(_ seeds: StrideTo<UInt64>) async -> (Census, UInt64?) {
        var census = Census()
        for seed in seeds {
            let report = await History.run(seed: seed)
            census.add(report.census)
            if report.violation != nil { return (census, seed) }
        }
        return (census, nil)
    }

    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }
}
