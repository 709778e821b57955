import Kernel
import MemoryStore
import Testing
import Wallet

/// A bank has used a refresh token up, and something fails here: people keep their bank.
///
/// RFC 6749 §6, RFC 9700 §4.14.2: what was given for it is then the only way in.
struct SpentTokenTests {
    private let fixture = BankFixture()

    private func sync() async throws -> SyncResult {
        try await fixture.service.sync(fixture.bank, of: BankFixture.account)
    }

    /// Its access token is over, here and there.
    private func enrolLongAgo() async throws {
        try await fixture.enrol([1])
        fixture.time.advance(by: .seconds(3600))
        fixture.scripted.endAccess()
    }

    // T-155
    @Test func `a store that takes no write costs no token: the bank is not asked`() async throws {
        try await enrolLongAgo()
        fixture.disk.failNextUnit(.beforeCommit)
        await #expect(throws: StoreError.self) { try await sync() }
        #expect(fixture.scripted.seen.refreshes == 0)
        _ = try await sync()
        #expect(fixture.scripted.seen.refreshes == 1)
        #expect(!fixture.scripted.seen.isOver)
    }

    // T-155
    @Test(arguments: [InjectedFault.beforeCommit, .afterCommit])
    func `tokens that could not be written are written with the next sync`(_ fault: InjectedFault) async throws {
        try await enrolLongAgo()
        fixture.scripted.onRefresh { [fixture] in fixture.disk.failNextUnit(fault) }
        await #expect(throws: StoreError.self) { try await sync() }
        fixture.scripted.onRefresh(nil)
        if fault == .beforeCommit {
            fixture.disk.failNextUnit(fault)
            await #expect(throws: StoreError.self, "and are not lost while the store fails on") { try await sync() }
        }
        _ = try await sync()
        #expect(fixture.scripted.seen.refreshes == 1, "the old one would have ended all")
        fixture.scripted.endAccess()
        _ = try await sync()
        #expect(fixture.scripted.seen.refreshes == 2)
        #expect(!fixture.scripted.seen.isOver)
    }

    @Test func `tokens that could not be written give way to a new enrolment and to an unlink`() async throws {
        try await enrolLongAgo()
        fixture.scripted.onRefresh { [fixture] in fixture.disk.failNextUnit(.beforeCommit) }
        await #expect(throws: StoreError.self) { try await sync() }
        fixture.scripted.onRefresh(nil)
        try await fixture.enrol([1])
        let enrolled = try #require(try await fixture.link()?.tokens)
        _ = try await sync()
        #expect(try await fixture.link()?.tokens == enrolled)
        #expect(try await fixture.service.unlink(bankID: "eb", of: BankFixture.account))
        await #expect(throws: SyncError.notEnrolled) { try await sync() }
        #expect(try await fixture.link()?.tokens == nil)
    }

    // T-155
    @Test func `a bank that is slow keeps nobody waiting, and its tokens are kept when they come`() async throws {
        try await enrolLongAgo()
        fixture.scripted.list([1, 2])
        let (answered, answer) = AsyncStream.makeStream(of: Never.self)
        fixture.scripted.onRefresh { [fixture] in
            fixture.time.advance(by: fixture.bank.timeout * 3)
            for await _ in answered {}
        }
        await #expect(throws: SyncError.unavailable) { try await sync() }
        fixture.scripted.onRefresh(nil)
        answer.finish()
        #expect(try await sync().cards.count == 2)
        #expect(fixture.scripted.seen.refreshes == 1)
        #expect(!fixture.scripted.seen.isOver)
    }

    // T-155
    @Test func `an answer to a refresh token is waited for longer than others, and not for ever`() {
        #expect(fixture.bank.timeout == .seconds(5))
        #expect(fixture.bank.exchangeTime == .seconds(45))
    }
}
