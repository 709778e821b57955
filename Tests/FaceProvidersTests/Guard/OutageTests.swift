import FaceProviders
import Kernel
import MemoryStore
import Synchronization
import Testing

@testable import Operations

/// Ten thousand logins whose provider goes away for an hour, in virtual time.
@Suite(.timeLimit(.minutes(15))) struct OutageTests {
    private static let count = 10_000

    @Test func `an hour's outage with ten thousand live logins costs probes, no memory, and no login`() async throws {
        // Checks are rarer than in earnest, so that an hour of them ends in seconds; the other test has the real cadence.
        let harness = OutageFixture(
            AnsweringProvider(),
            cadence: WatchCadence(cold: .seconds(600)),
            step: .milliseconds(500)
        )
        // A thousand more end within the hour, each at its own deadline.
        try await harness.fill(Self.count, lifetime: .seconds(7200), over: .seconds(600))
        try await harness.fill(1000, lifetime: .seconds(1800), over: .seconds(60), from: Self.count)
        await harness.pass(.seconds(660))
        #expect(harness.provider.checkCount > Self.count, "it was well")
        harness.provider.fail(with: .unavailable(cause: "an outage"))
        await harness.pass(.seconds(30))
        #expect(harness.guarded.circuit != .closed)
        let before = harness.provider.checkCount
        for minute in 1...60 {
            await harness.pass(.seconds(60))
            #expect(
                harness.service.plannedChecks == harness.service.cache.count,
                "one check an operation, in minute \(minute)"
            )
            #expect(
                harness.service.watch.schedule.heapCount <= 2 * harness.service.cache.count + 1024,
                "and no heap of stale ones"
            )
        }
        // A pause is 4.5 s at least, and a probe may have to wait for the next check to be due. Each login that ends is asked
        // about once a second in its last five.
        #expect(
            (600 + 4 * 1000...800 + 6 * 1000).contains(harness.provider.checkCount - before),
            "\(harness.provider.checkCount - before) probes and last checks"
        )
        let ended = harness.store.ended
        #expect(ended.count == 1000)
        for operation in ended {
            guard case .failed(.providerUnavailable, let at) = operation.state else {
                Issue.record("\(operation.state)")
                return
            }
            #expect(at >= operation.validity.deadline && at < operation.validity.deadline + .seconds(1))
        }
        harness.provider.fail(with: nil)
        harness.provider.answerAll(.approved)
        // The longest way back of what was held back last is one and a half cadences.
        let asked = await harness.calls(each: .seconds(10), for: .seconds(910))
        #expect(harness.guarded.circuit == .closed)
        #expect(asked.reduce(0, +) == Self.count, "each is asked about once, and then decided")
        // 10,000 in 600 s are 167 in ten, and a herd would be all of them at once.
        #expect((asked.max() ?? 0) <= 250, "\(asked)")
        // Those that were due before a probe found it well are the last.
        let least = asked.dropFirst(2).prefix(28).min() ?? 0
        #expect(least > 80, "nor is anybody made to wait for the others: \(asked)")
        #expect(harness.store.approvalCount == Self.count, "all who were scanned are let in")
    }

    @Test func `a crowd that was stopped together comes back apart`() async throws {
        let harness = OutageFixture(AnsweringProvider())
        try await harness.fill(Self.count / 2, lifetime: .seconds(900), over: .seconds(5))
        await harness.pass(.seconds(5))
        // For want of answers all are overdue at once, as when a provider hangs and takes every place.
        harness.provider.fail(with: .unavailable(cause: "hangs"))
        harness.time.advance(by: .seconds(10))
        await harness.pass(.seconds(15))
        #expect(harness.guarded.circuit != .closed)
        harness.provider.fail(with: nil)
        // 5,000 in 5 s are 100 in 100 ms on the average.
        let started = await harness.calls(each: .milliseconds(100), for: .seconds(15))
        let most = started.max() ?? 0
        #expect(harness.guarded.circuit == .closed)
        #expect(most <= 200, "\(started)")
        #expect(started.suffix(50).reduce(0, +) > 4000, "all are asked about again")
        #expect(harness.store.ended.isEmpty)
    }
}

/// Answers at once, the same for all.
final class AnsweringProvider: FaceProvider {
    let name = ProviderName("answering")
    let checkConcurrency = 32
    private let state = Mutex<(answer: Result<ScanStatus, ProviderError>, checks: Int)>(
        (.success(.pending(.userInProvider)), 0)
    )

    var checkCount: Int { state.withLock(\.checks) }

    func fail(with failure: ProviderError?) {
        state.withLock { $0.answer = failure.map { .failure($0) } ?? .success(.pending(.userInProvider)) }
    }

    func answerAll(_ status: ScanStatus) { state.withLock { $0.answer = .success(status) } }

    func begin(_ request: ScanRequest) async throws(ProviderError) -> StartedScan {
        throw .refused(cause: "not in this test")
    }

    func check(_ reference: ProviderReference) async throws(ProviderError) -> ScanStatus {
        let answer = state.withLock { state in
            state.checks += 1
            return state.answer
        }
        return try answer.get()
    }
}

extension OutageFixture<AnsweringProvider> {
    /// Returns how many checks reached the provider in each `span` of that time.
    func calls(each span: Duration, for duration: Duration) async -> [Int] {
        var counts: [Int] = []
        let end = time.now + duration
        while time.now < end {
            let before = provider.checkCount
            await pass(span)
            counts.append(provider.checkCount - before)
        }
        return counts
    }
}
