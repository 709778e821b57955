import Kernel
import MemoryStore
import Testing
import Wallet

/// Two daemons over one database, of which one at a time exchanges a bank's refresh token.
@Suite(.timeLimit(.minutes(1))) struct LeaseTests {
    private let first = BankFixture()
    private let second: BankFixture

    init() { second = BankFixture(over: first) }

    private func sync(by daemon: BankFixture) async throws -> SyncResult {
        try await daemon.service.sync(daemon.bank, of: BankFixture.account)
    }

    /// Waits until that many tasks sleep.
    private func sleepers(_ count: Int) async throws {
        for _ in 0..<100_000 where first.time.sleeperCount < count { await Task.yield() }
        try #require(first.time.sleeperCount >= count)
    }

    /// Lets time pass in the steps of a waiting sync, each when it sleeps again, until `isOver`.
    private func passing(until isOver: () async throws -> Bool) async throws {
        // The caller's deadline, and the sync's next look.
        try await sleepers(2)
        for _ in 0..<400 {
            if try await isOver() { return }
            let count = max(first.time.sleeperCount, 1)
            first.time.advance(by: .milliseconds(250))
            // Beside tests that compute, each of these takes its time.
            for _ in 0..<1000 where first.time.sleeperCount < count { await Task.yield() }
        }
        Issue.record("time passes in vain")
    }

    /// Writes a link as another daemon does.
    private func change(_ body: (inout BankLink) -> Void) async throws {
        var link = try #require(try await first.link())
        body(&link)
        link.version += 1
        let changed = link
        try await first.storage.unitOfWork.run { [first] in
            _ = try first.storage.wallet.put(changed, over: changed.version - 1, in: $0)
        }
    }

    // T-155
    /// RFC 9700 §4.14.2: a refresh token that is sent twice ends the family.
    @Test func `attack: syncs at two daemons use one refresh token once, and both have the cards`() async throws {
        try await first.enrol([1])
        first.scripted.endAccess()
        first.scripted.list([1, 2])
        let (reached, reach) = AsyncStream.makeStream(of: Never.self)
        let (answered, answer) = AsyncStream.makeStream(of: Never.self)
        first.scripted.onRefresh {
            reach.finish()
            for await _ in answered {}
        }
        let asking = Task { try await sync(by: first) }
        for await _ in reached {}
        try await sleepers(1)
        let waiting = Task { try await sync(by: second) }
        // The deadlines of both callers, and the next look of the second.
        try await sleepers(3)
        #expect(first.scripted.seen.refreshes == 1)
        answer.finish()
        #expect(try await asking.value.added == 1)
        first.time.advance(by: .milliseconds(250))
        let result = try await waiting.value
        #expect(result.cards.map(\.label.lastFour).sorted() == ["0001", "0002"])
        #expect(first.scripted.seen.refreshes == 1 && !first.scripted.seen.isOver)
        #expect(try await first.link()?.tokens?.leaseEnd == nil)
    }

    // T-155
    @Test func `a bank that answers as late as it may does not outlast the lease`() async throws {
        try await first.enrol([1])
        first.scripted.endAccess()
        let exchangeTime = first.bank.exchangeTime
        let lease = first
        first.scripted.onRefresh {
            lease.time.advance(by: exchangeTime)
            let end = try? await lease.link()?.tokens?.leaseEnd
            #expect(end.map { $0 > lease.time.wall + .seconds(1) } == true)
        }
        // Its caller waits less long; the sync goes on.
        await #expect(throws: SyncError.unavailable) { try await sync(by: first) }
        first.scripted.onRefresh(nil)
        _ = try await sync(by: first)
        #expect(first.scripted.seen.refreshes == 1 && !first.scripted.seen.isOver)
    }

    // T-155
    @Test(arguments: [Duration.zero, .seconds(-86_400)])
    func `the lease of a daemon that was killed ends by itself, also if the clock was set back`(
        _ step: Duration
    ) async throws {
        try await first.enrol([1])
        first.scripted.endAccess()
        let lease = Duration.seconds(30)
        try await change { $0.tokens?.leaseEnd = first.time.wall + lease }
        first.time.stepWall(by: step)
        let start = first.time.now
        // Its caller does not wait so long; the sync goes on.
        let waiting = Task { try await sync(by: second) }
        try await passing { first.scripted.seen.refreshes == 1 }
        #expect(first.time.now - start >= lease)
        _ = try? await waiting.value
        _ = try await sync(by: second)
        #expect(first.scripted.seen.refreshes == 1 && !first.scripted.seen.isOver)
    }

    // T-155
    @Test func `a sync that writes the cards meanwhile does not cost the new tokens`() async throws {
        try await first.enrol([1])
        first.scripted.endAccess()
        // As with an access token that was good a moment ago.
        first.scripted.onRefresh { try? await change { _ in } }
        _ = try await sync(by: first)
        first.scripted.onRefresh(nil)
        first.scripted.endAccess()
        _ = try await sync(by: second)
        #expect(first.scripted.seen.refreshes == 2 && !first.scripted.seen.isOver)
    }

    // T-155
    @Test func `tokens that could not be written are kept while another daemon leases the old ones in vain`()
        async throws
    {
        try await first.enrol([1])
        first.scripted.endAccess()
        first.scripted.onRefresh { first.disk.failNextUnit(.beforeCommit) }
        await #expect(throws: StoreError.self) { try await sync(by: first) }
        first.scripted.onRefresh(nil)
        try await change { $0.tokens?.leaseEnd = nil }
        _ = try await sync(by: first)
        #expect(first.scripted.seen.refreshes == 1 && !first.scripted.seen.isOver)
    }

    @Test(arguments: [BankError.unavailable(cause: "down"), .refused(cause: "invalid_grant"), .unusable(cause: "?")])
    func `a bank that refuses or fails leaves no lease behind`(_ fault: BankError) async throws {
        try await first.enrol([1])
        first.scripted.endAccess()
        first.scripted.set { $0.tokenFault = fault }
        await #expect(throws: SyncError.self) { try await sync(by: first) }
        #expect(try await first.link()?.tokens?.leaseEnd == nil)
        first.scripted.set { $0.tokenFault = nil }
        _ = try await sync(by: second)
        #expect(!first.scripted.seen.isOver)
    }

    @Test func `a daemon that stops waits for no other one's lease`() async throws {
        try await first.enrol([1])
        first.scripted.endAccess()
        try await change { $0.tokens?.leaseEnd = first.time.wall + .seconds(30) }
        let start = first.time.now
        let waiting = Task { try await sync(by: second) }
        try await sleepers(2)
        let stop = Task { await second.service.finish(by: first.time.now + .seconds(10)) }
        try await sleepers(3)
        first.time.advance(by: .milliseconds(250))
        await #expect(throws: SyncError.unavailable) { try await waiting.value }
        await stop.value
        #expect(first.time.now - start < .seconds(2))
        #expect(first.scripted.seen.refreshes == 0)
    }
}
