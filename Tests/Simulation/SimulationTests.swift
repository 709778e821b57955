import FoundationEssentials
import Fuzzing
import Testing

// T-009, T-010, T-060, T-262
/// Seeded histories of the whole engine, each in virtual time and decided by its seed: of one daemon, and of three over
/// one store.
///
/// `VESTIBULE_SIM_HISTORIES` sets how many of one daemon (2,000, of the long tests 20,000), and
/// `VESTIBULE_SIM_CLUSTERS` of three (2,000 and 100,000; a fifth of the former where only that is set).
/// `VESTIBULE_SIM_FIRST` is the first seed. With `VESTIBULE_SIM_SEED=n` that history alone is lived again and printed.
@Suite struct SimulationTests {
    @Test func `no simulated history violates an invariant`() async throws {
        let count = Self.number("VESTIBULE_SIM_HISTORIES") ?? (TestSize.isLong ? 20_000 : 2_000)
        guard let census = await liveAll(count, daemons: 1) else { return }
        if count >= 1000 { expectEveryCorner(census) }
    }

    @Test func `no simulated history of three daemons over one store violates an invariant`() async throws {
        let usual: UInt64 = TestSize.isLong ? 100_000 : 2_000
        let count =
            Self.number("VESTIBULE_SIM_CLUSTERS") ?? Self.number("VESTIBULE_SIM_HISTORIES").map { $0 / 5 } ?? usual
        guard let census = await liveAll(count, daemons: 3) else { return }
        if count >= 200 { expectEveryCornerOfSeveral(census, isLong: count >= 2000) }
    }

    /// The census of all histories; `nil` after one was lived again, or has broken a promise.
    private func liveAll(_ count: UInt64, daemons: Int) async -> Census? {
        if let seed = Self.number("VESTIBULE_SIM_SEED") {
            let report = await History.run(seed: seed, daemons: daemons, isTraced: true)
            print(report.trace.joined(separator: "\n"))
            #expect(report.violation == nil, "seed \(seed)")
            return nil
        }
        let first = Self.number("VESTIBULE_SIM_FIRST") ?? 1
        let lanes: UInt64 = 4
        let (census, failed) = await withTaskGroup(of: (Census, UInt64?).self) { group in
            for lane in 0..<lanes {
                let seeds = stride(from: first + lane, to: first + count, by: Int(lanes))
                group.addTask { await Self.live(seeds, daemons: daemons) }
            }
            return await group.reduce(into: (Census(), [UInt64]())) { all, lane in
                all.0.add(lane.0)
                if let seed = lane.1 { all.1.append(seed) }
            }
        }
        if let seed = failed.min() {
            let report = await History.run(seed: seed, daemons: daemons, isTraced: true)
            print(report.trace.joined(separator: "\n"))
            Issue.record("seed \(seed): \(report.violation ?? "a violation that did not come again")")
            return nil
        }
        print("\(count) histories of \(daemons) daemons: \(census)")
        return census
    }

    @Test(arguments: [1, 3]) func `the same seed gives the same history`(_ daemons: Int) async {
        for seed in 1...(daemons == 1 ? 20 : UInt64(8)) {
            let first = await History.run(seed: seed, daemons: daemons, isTraced: true)
            let second = await History.run(seed: seed, daemons: daemons, isTraced: true)
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

    /// `isLong`: Whether there were enough histories for what is rare.
    private func expectEveryCornerOfSeveral(_ census: Census, isLong: Bool) {
        #expect(census.crashes > 0 && census.pauses > 0 && census.handovers > 0)
        #expect(census.renamed > 0 && census.adopted > 0)
        #expect(census.delivered > 0 && census.lost > 0 && census.gaps > 0)
        #expect(census.completed > 0 && census.parked > 0 && census.woken > 0)
        guard isLong else { return }
        #expect(census.redelivered > 0 && census.quieted > 0 && census.enrolled > 0)
        #expect(census.twins > 0 && census.hooks > 0 && census.failovers > 0 && census.blocks > 0)
        let ends = ["closed", "failed expired", "failed canceled", "failed accountBlocked", "failed superseded"]
        for end in ends { #expect(census.ends[end] ?? 0 > 0, "no history ended as \(end)") }
    }

    /// The census of these seeds, up to the first that breaks a promise.
    private static func live(_ seeds: StrideTo<UInt64>, daemons: Int) async -> (Census, UInt64?) {
        var census = Census()
        for seed in seeds {
            let report = await History.run(seed: seed, daemons: daemons)
            census.add(report.census)
            if report.violation != nil { return (census, seed) }
        }
        return (census, nil)
    }

    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }
}
