import Kernel
import MemoryStore
import Testing

@testable import Operations

/// Several engines over one store: what a daemon does that has missed messages.
struct GapTests {
    private let first = Harness(nodes: ScriptedNodes(0))
    private let second: Harness

    init() { second = first.beside(as: ScriptedNodes(1)) }

    @Test func `after a gap every operation for which a client waits is read again, and no other`() async throws {
        let (awaited, other) = (try await first.begin(), try await first.begin())
        _ = try await second.poll(other)
        second.time.advance(by: .seconds(20))
        _ = try await second.poll(awaited)
        try await first.open(awaited)
        _ = first.feed.take()
        let reads = second.disk.tally.reads
        await second.service.take(.gap)
        #expect(second.disk.tally.reads == reads + 1)
        #expect(second.service.peek(awaited.publicID, awaited.rightful)?.hint == .userInProvider)
    }

    @Test func `the daemon that began a login learns after a gap what another one made of it`() async throws {
        let login = try await first.begin()
        _ = try await first.poll(login)
        let scan = try await second.open(login)
        second.provider.answer(scan, .approved)
        await second.pass(.seconds(5))
        _ = try await first.poll(login)
        await first.service.take(.gap)
        guard case .completed = try await first.poll(login) else {
            Issue.record("nothing was collected")
            return
        }
    }

    @Test func `after a gap also what nobody waits for is read again, when it is asked for or within half a minute`()
        async throws
    {
        let (awaited, left) = (try await first.begin(), try await first.begin())
        let scan = try await second.open(awaited)
        second.provider.answer(scan, .approved)
        try await second.open(left)
        await second.pass(.seconds(6))
        // The first one has heard nothing, and nobody polls there now.
        await first.service.take(.gap)
        guard case .completed = try await first.poll(awaited) else {
            Issue.record("the approval was not seen")
            return
        }
        await first.pass(.seconds(25))
        #expect(first.service.cache.card(left.publicID)?.operation.state.name == .pending)
    }

    // T-021
    @Test func `a daemon that has missed messages is told again who is kept quiet, for the time that is left`() async {
        await first.service.take(.message(.quieted(key: 7, milliseconds: 600_000)))
        await first.service.take(.message(.quieted(key: 8, milliseconds: .max)))
        first.service.repeatQuieted()
        #expect(first.feed.take().isEmpty, "nobody has asked")
        await second.service.take(.gap)
        #expect(second.feed.take() == [.missed])
        first.time.advance(by: .seconds(100))
        // However many ask, they are told once.
        for _ in 1...3 { await first.service.take(.message(.missed)) }
        first.service.repeatQuieted()
        let period = LimitRates().logins.quietPeriod.wholeMilliseconds
        let told: Set<FeedMessage> = [
            .quieted(key: 7, milliseconds: 500_000), .quieted(key: 8, milliseconds: period - 100_000),
        ]
        #expect(Set(first.feed.take()) == told)
        await first.service.take(.message(.missed))
        first.service.repeatQuieted()
        #expect(first.feed.take().isEmpty, "a second later")
        first.time.advance(by: .seconds(500))
        first.service.repeatQuieted()
        #expect(first.feed.take() == [.quieted(key: 8, milliseconds: period - 600_000)], "the other one's time is over")
    }

    // T-021
    @Test func `two daemons that repeat to each other who is kept quiet do not prolong that`() async {
        await first.service.take(.message(.quieted(key: 7, milliseconds: 60_500)))
        for _ in 1...10 {
            for (asked, asking) in [(first, second), (second, first)] {
                for message in await repeated(by: asked) { await asking.service.take(.message(message)) }
            }
            first.time.advance(by: .microseconds(1_900_300))
        }
        for harness in [first, second] {
            #expect(await repeated(by: harness) == [.quieted(key: 7, milliseconds: 41_497)])
        }
        first.time.advance(by: .milliseconds(41_497))
        for harness in [first, second] { #expect(await repeated(by: harness).isEmpty) }
    }

    /// What the daemon repeats to one that asks who is kept quiet.
    private func repeated(by harness: Harness) async -> [FeedMessage] {
        await harness.service.take(.message(.missed))
        harness.service.repeatQuieted()
        return harness.feed.take()
    }
}
