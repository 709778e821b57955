import Kernel
import MemoryStore
import Testing

@testable import Wallet

/// The process stops while a bank is asked: what the bank gives is kept.
///
/// RFC 6749 §6, RFC 9700 §4.14.2: a refresh token may be good once, and what was given for it is then the only way in.
struct FinishingTests {
    private let fixture = BankFixture()
    private static let bound = Duration.seconds(20)

    private func sync() async throws -> SyncResult {
        try await fixture.service.sync(fixture.bank, of: BankFixture.account)
    }

    private func finish() async { await fixture.service.finish(by: fixture.time.now + Self.bound) }

    /// Its access token is over, here and there.
    private func enrolLongAgo() async throws {
        try await fixture.enrol([1])
        fixture.time.advance(by: .seconds(3600))
        fixture.scripted.endAccess()
    }

    /// Returns the state that the next process finds.
    private func isLetInAfterwards() async throws -> Bool {
        let next = BankFixture(over: fixture)
        next.scripted.endAccess()
        _ = try await next.service.sync(next.bank, of: BankFixture.account)
        return !next.scripted.seen.isOver
    }

    // T-155
    @Test func `attack: a stop waits for a bank's token exchange and stores the new tokens`() async throws {
        try await enrolLongAgo()
        let (reached, reach) = AsyncStream.makeStream(of: Never.self)
        let (answered, answer) = AsyncStream.makeStream(of: Never.self)
        fixture.scripted.onRefresh {
            reach.finish()
            for await _ in answered {}
        }
        let asking = Task { try await sync() }
        for await _ in reached {}
        asking.cancel()
        await #expect(throws: SyncError.unavailable) { try await asking.value }
        let old = try #require(try await fixture.link()?.tokens)
        let stop = Task {
            await finish()
            return try await fixture.link()?.tokens
        }
        for _ in 0..<10_000 where fixture.time.sleeperCount == 0 { await Task.yield() }
        answer.finish()
        #expect(try await stop.value != old, "the stop has waited for the write")
        #expect(try await isLetInAfterwards())
    }

    @Test func `a stop gives up at its end`() async throws {
        try await enrolLongAgo()
        let (reached, reach) = AsyncStream.makeStream(of: Never.self)
        let (answered, answer) = AsyncStream.makeStream(of: Never.self)
        fixture.scripted.onRefresh {
            reach.finish()
            for await _ in answered {}
        }
        let asking = Task { try await sync() }
        for await _ in reached {}
        let old = try #require(try await fixture.link()?.tokens)
        let stop = Task { await finish() }
        for _ in 0..<10_000 where !fixture.service.syncs.isClosed { await Task.yield() }
        fixture.time.advance(by: Self.bound)
        await stop.value
        #expect(try await fixture.link()?.tokens == old, "the bank has not answered")
        answer.finish()
        _ = try? await asking.value
    }

    // T-155
    @Test func `attack: tokens that the database refused are written by the stop once it accepts them`() async throws {
        try await enrolLongAgo()
        fixture.scripted.onRefresh { [fixture] in fixture.disk.failNextUnit(.beforeCommit) }
        await #expect(throws: StoreError.self) { try await sync() }
        fixture.disk.failNextUnit(.beforeCommit)
        let stop = Task { await finish() }
        for _ in 0..<10_000 where fixture.time.sleeperCount == 0 { await Task.yield() }
        fixture.time.advance(by: .seconds(1))
        await stop.value
        fixture.scripted.onRefresh(nil)
        #expect(fixture.service.unwritten.links.isEmpty)
        #expect(try await isLetInAfterwards())
    }

    // T-155
    @Test func `a stop whose time is over tries once to write what is held`() async throws {
        try await enrolLongAgo()
        fixture.scripted.onRefresh { [fixture] in fixture.disk.failNextUnit(.beforeCommit) }
        await #expect(throws: StoreError.self) { try await sync() }
        await fixture.service.finish(by: fixture.time.now)
        fixture.scripted.onRefresh(nil)
        #expect(try await isLetInAfterwards())
    }

    @Test func `nothing is restored that was unlinked after its tokens could not be written`() async throws {
        try await enrolLongAgo()
        fixture.scripted.onRefresh { [fixture] in fixture.disk.failNextUnit(.beforeCommit) }
        await #expect(throws: StoreError.self) { try await sync() }
        #expect(try await BankFixture(over: fixture).service.unlink(bankID: "eb", of: BankFixture.account))
        await finish()
        #expect(try await fixture.link()?.tokens == nil)
        #expect(fixture.service.unwritten.links.isEmpty)
    }

    @Test func `once a stop has begun no bank is asked, and a running sync sends no token`() async throws {
        try await enrolLongAgo()
        await finish()
        await #expect(throws: SyncError.unavailable) { try await sync() }
        #expect(fixture.scripted.seen.refreshes == 0)

        let other = BankFixture()
        try await other.enrol([1])
        other.scripted.endAccess()
        let (reached, reach) = AsyncStream.makeStream(of: Never.self)
        let (answered, answer) = AsyncStream.makeStream(of: Never.self)
        other.scripted.onList {
            reach.finish()
            for await _ in answered {}
        }
        let asking = Task { try await other.service.sync(other.bank, of: BankFixture.account) }
        for await _ in reached {}
        let stop = Task { await other.service.finish(by: other.time.now + Self.bound) }
        for _ in 0..<10_000 where !other.service.syncs.isClosed { await Task.yield() }
        answer.finish()
        await stop.value
        await #expect(throws: SyncError.unavailable) { try await asking.value }
        #expect(other.scripted.seen.refreshes == 0)
    }

    @Test func `a stop without a running sync does not wait`() async throws {
        try await fixture.enrol([1])
        await finish()
        #expect(fixture.time.sleeperCount == 0)
    }
}
