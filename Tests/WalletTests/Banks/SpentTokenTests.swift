import Kernel
import MemoryStore
import Testing
import Wallet

/// A bank has used a refresh token up, and something fails here: people keep their bank.
///
/// RFC 6749 §6, RFC 9700 §4.14.2: what was given for it is then the only way in.
struct SpentTokenTests {
    private let stage = BankStage()

    private func sync() async throws -> SyncResult { try await stage.service.sync(stage.bank, of: BankStage.account) }

    /// Its access token is over, here and there.
    private func enrolLongAgo() async throws {
        try await stage.enrol([1])
        stage.time.advance(by: .seconds(3600))
        stage.scripted.endAccess()
    }

    @Test func `a store that takes no write costs no token: the bank is not asked`() async throws {
        try await enrolLongAgo()
        stage.disk.failNextUnit(.beforeCommit)
        await #expect(throws: StoreError.self) { try await sync() }
        #expect(stage.scripted.seen.refreshes == 0)
        _ = try await sync()
        #expect(stage.scripted.seen.refreshes == 1)
        #expect(!stage.scripted.seen.isOver)
    }

    @Test(arguments: [InjectedFault.beforeCommit, .afterCommit])
    func `tokens that could not be written are written with the next sync`(_ fault: InjectedFault) async throws {
        try await enrolLongAgo()
        stage.scripted.onRefresh { [stage] in stage.disk.failNextUnit(fault) }
        await #expect(throws: StoreError.self) { try await sync() }
        stage.scripted.onRefresh(nil)
        if fault == .beforeCommit {
            stage.disk.failNextUnit(fault)
            await #expect(throws: StoreError.self, "and are not lost while the store fails on") { try await sync() }
        }
        _ = try await sync()
        #expect(stage.scripted.seen.refreshes == 1, "the old one would have ended all")
        stage.scripted.endAccess()
        _ = try await sync()
        #expect(stage.scripted.seen.refreshes == 2)
        #expect(!stage.scripted.seen.isOver)
    }

    @Test func `tokens that could not be written give way to a new enrolment and to an unlink`() async throws {
        try await enrolLongAgo()
        stage.scripted.onRefresh { [stage] in stage.disk.failNextUnit(.beforeCommit) }
        await #expect(throws: StoreError.self) { try await sync() }
        stage.scripted.onRefresh(nil)
        try await stage.enrol([1])
        let enrolled = try #require(try await stage.link()?.tokens)
        _ = try await sync()
        #expect(try await stage.link()?.tokens == enrolled)
        #expect(try await stage.service.unlink(bankID: "eb", of: BankStage.account))
        await #expect(throws: SyncError.notEnrolled) { try await sync() }
        #expect(try await stage.link()?.tokens == nil)
    }

    @Test func `a bank that is slow keeps nobody waiting, and its tokens are kept when they come`() async throws {
        try await enrolLongAgo()
        stage.scripted.list([1, 2])
        let (answered, answer) = AsyncStream.makeStream(of: Never.self)
        stage.scripted.onRefresh { [stage] in
            stage.time.advance(by: stage.bank.timeout * 3)
            for await _ in answered {}
        }
        await #expect(throws: SyncError.unavailable) { try await sync() }
        stage.scripted.onRefresh(nil)
        answer.finish()
        #expect(try await sync().cards.count == 2)
        #expect(stage.scripted.seen.refreshes == 1)
        #expect(!stage.scripted.seen.isOver)
    }

    @Test func `an answer to a refresh token is waited for longer than others, and not for ever`() {
        #expect(stage.bank.timeout == .seconds(5))
        #expect(stage.bank.exchangeTime == .seconds(45))
    }
}
