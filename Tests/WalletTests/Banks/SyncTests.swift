import Kernel
import MemoryStore
import Testing
import Wallet

/// A bank is asked again, or unlinked.
struct SyncTests {
    private let fixture = BankFixture()

    private func sync() async throws -> SyncResult {
        try await fixture.service.sync(fixture.bank, of: BankFixture.account)
    }

    @Test func `a sync adds new cards, and removes those that the bank no longer lists`() async throws {
        try await fixture.enrol([1, 2])
        fixture.time.advance(by: .seconds(60))
        fixture.scripted.list([2, 3])
        let result = try await sync()
        #expect((result.added, result.removed) == (1, 1))
        #expect(result.cards == (try await fixture.wallet()))
        #expect(result.cards.map(\.label.lastFour) == ["0003", "0002"], "the default passes to the newest")
        #expect(fixture.scripted.seen.refreshes == 0, "its access token was still good")
        fixture.scripted.list([1, 2, 3])
        let again = try await sync()
        #expect((again.added, again.removed) == (1, 0), "a card that the bank lists again is back")
        #expect(again.cards.map(\.label.lastFour)[0] == "0003", "and the default stays")
    }

    @Test func `a sync does not add a card that the person removed`() async throws {
        try await fixture.enrol([1, 2])
        let gone = try #require(try await fixture.wallet().first { $0.label.lastFour == "0002" })
        #expect(try await fixture.cards.remove(gone.id, of: BankFixture.account))
        for list in [[1, 2], [1], [1, 2]] {
            fixture.scripted.list(list)
            let result = try await sync()
            #expect((result.added, result.removed) == (0, 0))
            #expect(result.cards.map(\.label.lastFour) == ["0001"])
        }
    }

    @Test func `a token that is over is renewed once, and the new ones are kept`() async throws {
        try await fixture.enrol([1])
        fixture.time.advance(by: .seconds(3600))
        fixture.scripted.endAccess()
        _ = try await sync()
        #expect(fixture.scripted.seen.refreshes == 1)
        _ = try await sync()
        #expect(fixture.scripted.seen.refreshes == 1)
        fixture.scripted.endAccess()
        _ = try await sync()
        #expect(fixture.scripted.seen.refreshes == 2, "one that the bank ended early as well")
    }

    @Test func `without a new refresh token the old one stays`() async throws {
        try await fixture.enrol([1])
        fixture.scripted.set { $0.givesRefreshToken = false }
        for _ in 0..<2 {
            fixture.scripted.endAccess()
            _ = try await sync()
        }
        #expect(fixture.scripted.seen.refreshes == 2)
    }

    // T-155
    /// RFC 9700 §4.14.2: a refresh token that is good once must not be sent twice, or the bank ends the family.
    @Test func `of many syncs at once one asks the bank, and all get its outcome`() async throws {
        try await fixture.enrol([1])
        fixture.scripted.endAccess()
        fixture.scripted.list([1, 2])
        let waits = fixture.service
        fixture.scripted.onList {
            for _ in 0..<10_000 where waits.waitingSyncs < 8 { await Task.yield() }
        }
        let results = try await withThrowingTaskGroup(of: SyncResult.self) { group in
            for _ in 0..<8 { group.addTask { try await sync() } }
            return try await group.reduce(into: [SyncResult]()) { $0.append($1) }
        }
        #expect(results.map(\.added) == [Int](repeating: 1, count: 8))
        #expect(fixture.scripted.seen.refreshes == 1)
        #expect(!fixture.scripted.seen.isOver)
        fixture.scripted.onList(nil)
        #expect(try await sync().added == 0, "the next one asks for itself")
    }

    // T-155
    @Test func `new tokens are kept even where the cards don't come`() async throws {
        try await fixture.enrol([1])
        fixture.scripted.endAccess()
        fixture.scripted.set { $0.cardsFault = .unavailable(cause: "down") }
        fixture.time.advance(by: .seconds(3600))
        await #expect(throws: SyncError.unavailable) { try await sync() }
        fixture.scripted.set { $0.cardsFault = nil }
        _ = try await sync()
        #expect(fixture.scripted.seen.refreshes == 1)
        #expect(!fixture.scripted.seen.isOver)
    }

    // T-155
    /// RFC 9700 §4.14.2: the bank has used the old refresh token up by then, and a wallet that missed the new one is shut out.
    @Test(arguments: [false, true])
    func `new tokens are kept even if the caller leaves meanwhile`(_ isJoined: Bool) async throws {
        try await fixture.enrol([1])
        fixture.scripted.endAccess()
        fixture.scripted.list([1, 2])
        let (reached, reach) = AsyncStream.makeStream(of: Never.self)
        let (left, leave) = AsyncStream.makeStream(of: Never.self)
        fixture.scripted.onRefresh {
            reach.finish()
            for await _ in left {}
        }
        let first = Task { try await sync() }
        for await _ in reached {}
        let second = isJoined ? Task { try await sync() } : nil
        for _ in 0..<10_000 where isJoined && fixture.service.waitingSyncs < 2 { await Task.yield() }
        first.cancel()
        await #expect(throws: SyncError.unavailable, "at once") { try await first.value }
        leave.finish()
        let joined = try await second?.value
        #expect(joined?.added == (isJoined ? 1 : nil), "who joined gets the outcome all the same")
        _ = try await sync()
        #expect(fixture.scripted.seen.refreshes == 1)
        #expect(!fixture.scripted.seen.isOver)
        #expect(try await fixture.digits().count == 2)
    }

    @Test func `a caller that left before the sync begins asks for nothing`() async throws {
        try await fixture.enrol([1])
        let gone = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await sync()
        }
        await #expect(throws: SyncError.unavailable) { try await gone.value }
        #expect(fixture.scripted.seen.lists == 1, "that of the enrolment")
    }

    @Test func `a bank that refuses the server's tokens wants the person back, and loses no card`() async throws {
        try await fixture.enrol([1])
        fixture.scripted.endAccess()
        fixture.scripted.set { $0.isOver = true }
        await #expect(throws: SyncError.signInNeeded) { try await sync() }
        #expect(try await fixture.digits() == ["0001"])
        #expect(try await fixture.enrol([1]).outcome == .success(cardCount: 1))
        _ = try await sync()
    }

    @Test func `without a refresh token, or with another key, the person is wanted back`() async throws {
        try await fixture.enrol([1])
        fixture.encryptor.changeKey()
        await #expect(throws: SyncError.signInNeeded) { try await sync() }
        fixture.scripted.set { $0.givesRefreshToken = false }
        try await fixture.enrol([1])
        fixture.scripted.endAccess()
        await #expect(throws: SyncError.signInNeeded) { try await sync() }
    }

    @Test(arguments: [
        (BankError.unavailable(cause: "down"), SyncError.unavailable), (.unusable(cause: "x"), .unusable),
    ])
    func `a bank that fails changes nothing`(_ failure: BankError, _ refusal: SyncError) async throws {
        try await fixture.enrol([1, 2])
        let before = fixture.disk.tables.walletCards
        fixture.scripted.set { $0.cardsFault = failure }
        await #expect(throws: refusal) { try await sync() }
        #expect(fixture.disk.tables.walletCards == before)
    }

    @Test func `a bank that is not enrolled, or another's, is not asked`() async throws {
        await #expect(throws: SyncError.notEnrolled) { try await sync() }
        try await fixture.enrol([1])
        await #expect(throws: SyncError.notEnrolled) {
            try await fixture.service.sync(fixture.bank, of: BankFixture.other)
        }
        #expect(try await !fixture.service.unlink(bankID: "eb", of: BankFixture.other))
        #expect(try await fixture.service.unlink(bankID: "eb", of: BankFixture.account))
        await #expect(throws: SyncError.notEnrolled) { try await sync() }
        #expect(fixture.scripted.seen.lists == 1)
    }

    @Test func `an unlink while the bank is asked is not undone`() async throws {
        try await fixture.enrol([1])
        fixture.scripted.list([1, 2])
        fixture.scripted.onList { [fixture] in
            _ = try await fixture.service.unlink(bankID: "eb", of: BankFixture.account)
        }
        await #expect(throws: SyncError.notEnrolled) { try await sync() }
        #expect(try await fixture.wallet().isEmpty)
        #expect(try await fixture.link()?.tokens == nil)
        #expect(fixture.notes == ["bank.enrolled eb, cards: 1", "bank.unlinked eb"])
    }

    @Test func `removed cards of a bank that gives out ever new references stay few`() async throws {
        try await fixture.enrol([1])
        for round in 1...6 {
            fixture.scripted.list((round * 100..<round * 100 + 50).map { $0 })
            _ = try await sync()
        }
        #expect(fixture.disk.tables.walletCards.count == 250)
        #expect(try await fixture.wallet().count == 50)
    }
}
