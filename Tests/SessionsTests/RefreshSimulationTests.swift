import Fuzzing
import Testing

@testable import Sessions

/// A thousand histories, of the long tests ten thousand, of refreshes, lost answers, reuse, theft, restarts and revocations.
struct RefreshSimulationTests {
    private static let histories: UInt64 = TestSize.isLong ? 10_000 : 1_000

    // T-091
    @Test(.timeLimit(.minutes(10)))
    func `simulated honest apps stay signed in, and two holders of a token family do not outlast the grace`()
        async throws
    {
        var sum = RefreshHistory.Counts()
        for seed in 1...Self.histories {
            var history = try await RefreshHistory(seed: seed)
            let faults = try await history.play()
            try #require(faults.isEmpty, "seed \(seed): \(faults.joined(separator: "; "))")
            sum = sum + history.counts
        }
        for path in RefreshHistory.Counts.all {
            #expect(sum[keyPath: path] > Int(Self.histories / 20), "something hardly happened: \(sum)")
        }
    }

    // T-091
    @Test func `attack: an attacker's hourly refreshes end the session as reuse unless it is bound to a key`()
        async throws
    {
        for kind in RefreshHistory.Kind.allCases {
            var history = try await RefreshHistory(seed: 1, kind: kind)
            let reason = try await history.playHourly()
            // Without the key an attacker gets nothing and ends nothing.
            #expect(reason == (kind == .key || kind == .bound ? nil : .refreshReuse), "\(kind)")
        }
    }
}
