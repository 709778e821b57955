import Kernel
import Logging
import MemoryStore
import Settings
import Storage
import Testing
import Wallet
import Wire

@testable import Assembly

/// The daemon stops while a bank is asked.
///
/// RFC 6749 §6, RFC 9700 §4.14.2: a refresh token may be good once, and what was given for it is then the only way in.
struct BankStopTests {
    /// A bank that has been asked for new tokens, and answers when the gate opens; nobody waits for it any more.
    private static func ask(_ harness: Harness, through gate: Gate) async throws -> AccountID {
        let phone = try await harness.phone()
        try await harness.enroll(phone)
        let account = try #require(AccountID(parsing: phone.tokens.user.id))
        harness.time.advance(by: .seconds(3600))
        harness.bank.holdExchanges(at: gate)
        let banks = harness.composition.wallet
        let bank = try #require(harness.settings.banks["eb"])
        let caller = Task { try await banks.banks.sync(bank, of: account) }
        await gate.waitForCaller()
        caller.cancel()
        _ = await caller.result
        return account
    }

    private static func link(_ harness: Harness, of account: AccountID) async throws -> BankLink? {
        let (database, _) = try SQLiteDatabase.open(
            harness.settings.storage.sqlite,
            migrating: false,
            at: harness.time.wall
        )
        let link = try await SQLWalletStore(database).link("eb", of: account)
        try database.close()
        return link
    }

    // T-155
    @Test func `attack: a stop waits for a bank's answer, and stores it before the database is closed`() async throws {
        try await Harness.run(storage: .sqlite) { harness in
            let gate = Gate()
            let account = try await Self.ask(harness, through: gate)
            let old = try #require(try await Self.link(harness, of: account)?.tokens)
            let stop = Task { await harness.composition.shutdown() }
            for _ in 0..<10_000 where harness.time.sleeperCount == 0 { await Task.yield() }
            gate.open()
            await stop.value
            let new = try #require(try await Self.link(harness, of: account)?.tokens)
            #expect(new != old)
            #expect(!harness.log.lines.contains { $0.message.contains("is not waited for") })
        }
    }

    // T-155
    @Test func `a bank that answers too late is named, and the stop goes on`() async throws {
        try await Harness.run(storage: .sqlite) { harness in
            let gate = Gate()
            _ = try await Self.ask(harness, through: gate)
            await harness.composition.wallet.shutdown(by: harness.time.now)
            let line = try #require(harness.log.lines.first { $0.message.contains("is not waited for any longer") })
            #expect(line.level == .warning && line.metadata == ["bank": "eb"])
            gate.open()
        }
    }
}
