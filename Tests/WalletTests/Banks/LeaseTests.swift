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

    /// Lets time pass until the task is over.
    private func passing<T: Sendable>(_ step: Duration, until task: Task<T, any Error>) async throws -> T {
        let clock = Task {
            while !Task.isCancelled {
                first.time.advance(by: step)
                await Task.yield()
            }
        }
        defer { clock.cancel() }
        return try await task.value
    }

    private func leave(_ link: BankLink) async throws {
        try await first.storage.unitOfWork.run { [first] in
            _ = try first.storage.wallet.put(link, over: link.version - 1, in: $0)
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
        let sleepers = first.time.sleeperCount
        let waiting = Task { try await sync(by: second) }
        // Its caller's deadline, and its next look at the row.
        for _ in 0..<10_000 where first.time.sleeperCount < sleepers + 2 { await Task.yield() }
        answer.finish()
        #expect(try await asking.value.added == 1)
        let result = try await passing(.milliseconds(50), until: waiting)
        #expect(result.cards.map(\.label.lastFour).sorted() == ["0001", "0002"])
        #expect(first.scripted.seen.refreshes == 1 && !first.scripted.seen.isOver)
        #expect(try await first.link()?.tokens?.leaseEnd == nil)
    }

    // T-155
    @Test(arguments: [Duration.zero, .seconds(-86_400)])
    func `the lease of a daemon that was killed ends by itself, also if the clock was set back`(
        _ step: Duration
    ) async throws {
        try await first.enrol([1])
        first.scripted.endAccess()
        var link = try #require(try await first.link())
        link.tokens?.leaseEnd = first.time.wall + .seconds(15)
        link.version += 1
        try await leave(link)
        first.time.stepWall(by: step)
        let start = first.time.now
        let waiting = Task { try await sync(by: second) }
        _ = try await passing(.milliseconds(10), until: waiting)
        #expect(first.time.now - start >= .seconds(15))
        #expect(first.scripted.seen.refreshes == 1 && !first.scripted.seen.isOver)
    }

    // T-155
    @Test func `a sync that writes the cards meanwhile does not cost the new tokens`() async throws {
        try await first.enrol([1])
        first.scripted.endAccess()
        first.scripted.onRefresh { [first] in
            // As the other daemon's with an access token that was good a moment ago.
            guard var link = try? await first.link() else { return }
            link.version += 1
            try? await leave(link)
        }
        _ = try await sync(by: first)
        first.scripted.onRefresh(nil)
        first.scripted.endAccess()
        _ = try await sync(by: second)
        #expect(first.scripted.seen.refreshes == 2 && !first.scripted.seen.isOver)
    }

    @Test func `a bank that refuses or fails leaves no lease behind`() async throws {
        try await first.enrol([1])
        first.scripted.endAccess()
        first.scripted.set { $0.tokenFault = .unavailable(cause: "down") }
        await #expect(throws: SyncError.unavailable) { try await sync(by: first) }
        #expect(try await first.link()?.tokens?.leaseEnd == nil)
        first.scripted.set { $0.tokenFault = nil }
        _ = try await sync(by: second)
        #expect(!first.scripted.seen.isOver)
    }

    @Test func `a daemon that stops waits for no other one's lease`() async throws {
        try await first.enrol([1])
        first.scripted.endAccess()
        var link = try #require(try await first.link())
        link.tokens?.leaseEnd = first.time.wall + .seconds(15)
        link.version += 1
        try await leave(link)
        let waiting = Task { try await sync(by: second) }
        for _ in 0..<10_000 where first.time.sleeperCount < 2 { await Task.yield() }
        let stop = Task { await second.service.finish(by: first.time.now + .seconds(5)) }
        for _ in 0..<1000 { await Task.yield() }
        await #expect(throws: SyncError.unavailable) { try await passing(.milliseconds(50), until: waiting) }
        await stop.value
        #expect(first.scripted.seen.refreshes == 0)
    }
}
