import Kernel
import MemoryStore
import Testing
import Wallet

/// Cards are chosen and removed.
struct CardServiceTests {
    private let stage = BankStage()

    private func card(_ lastFour: String) async throws -> CardID {
        try #require(try await stage.wallet().first { $0.lastFour == lastFour }).id
    }

    private func found(_ id: CardID?, of account: AccountID = BankStage.account) async throws -> WalletCard? {
        let cards = stage.cards
        return try await stage.storage.unitOfWork.run { try cards.card(id, of: account, in: $0) }
    }

    @Test func `the default is the card that was chosen, and one alone`() async throws {
        try await stage.enrol([1, 2, 3])
        for lastFour in ["0002", "0003", "0003", "0001"] {
            #expect(try await stage.cards.setDefault(try await card(lastFour), of: BankStage.account))
            #expect(try await stage.wallet().filter(\.isDefault).map(\.lastFour) == [lastFour])
            #expect(try await found(nil)?.lastFour == lastFour)
        }
    }

    @Test func `the default passes to the newest that is left`() async throws {
        try await stage.enrol([1])
        for number in 2...3 {
            stage.time.advance(by: .seconds(1))
            stage.scripted.list(Array(1...number))
            _ = try await stage.service.sync(stage.bank, of: BankStage.account)
        }
        #expect(try await stage.digits() == ["0001", "0003", "0002"])
        let gone = try await card("0001")
        #expect(try await stage.cards.remove(gone, of: BankStage.account))
        #expect(try await stage.digits() == ["0003", "0002"])
        #expect(try await stage.wallet()[0].isDefault)
        #expect(try await found(gone) == nil, "it pays no more")
        #expect(stage.notes.last == "card.removed card \(gone)")
        #expect(try await !stage.cards.remove(gone, of: BankStage.account), "once")
        #expect(try await !stage.cards.setDefault(gone, of: BankStage.account))
        for lastFour in ["0003", "0002"] {
            #expect(try await stage.cards.remove(try await card(lastFour), of: BankStage.account))
        }
        #expect(try await found(nil) == nil)
    }

    /// OWASP API1:2023: an id alone gives nobody a card.
    @Test func `a card of somebody else is none`() async throws {
        try await stage.enrol([1, 2])
        let theirs = try await card("0002")
        let before = stage.disk.tables.walletCards
        #expect(try await !stage.cards.setDefault(theirs, of: BankStage.other))
        #expect(try await !stage.cards.remove(theirs, of: BankStage.other))
        #expect(try await found(theirs, of: BankStage.other) == nil)
        #expect(try await found(nil, of: BankStage.other) == nil)
        #expect(try await stage.cards.contents(of: BankStage.other) == WalletContents(cards: [], banks: []))
        #expect(stage.disk.tables.walletCards == before)
        #expect(try await found(theirs)?.lastFour == "0002")
    }

    @Test func `of many removals of one card at once one counts`() async throws {
        try await stage.enrol([1, 2])
        let id = try await card("0001")
        let removed = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 { group.addTask { try await stage.cards.remove(id, of: BankStage.account) } }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(removed == 1)
        #expect(stage.notes.count { $0.hasPrefix("card.removed") } == 1)
        #expect(try await stage.wallet().map(\.isDefault) == [true])
    }
}
