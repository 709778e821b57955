import Kernel
import MemoryStore
import Testing
import Wallet

/// Cards are chosen and removed.
struct CardServiceTests {
    private let fixture = BankFixture()

    private func card(_ lastFour: String) async throws -> CardID {
        try #require(try await fixture.wallet().first { $0.label.lastFour == lastFour }).id
    }

    private func found(_ id: CardID?, of account: AccountID = BankFixture.account) async throws -> WalletCard? {
        let cards = fixture.cards
        return try await fixture.storage.unitOfWork.run { try cards.card(id, of: account, in: $0) }
    }

    @Test func `the default is the card that was chosen, and one alone`() async throws {
        try await fixture.enrol([1, 2, 3])
        for lastFour in ["0002", "0003", "0003", "0001"] {
            #expect(try await fixture.cards.setDefault(try await card(lastFour), of: BankFixture.account))
            #expect(try await fixture.wallet().filter(\.isDefault).map(\.label.lastFour) == [lastFour])
            #expect(try await found(nil)?.label.lastFour == lastFour)
        }
    }

    @Test func `the default passes to the newest that is left`() async throws {
        try await fixture.enrol([1])
        for number in 2...3 {
            fixture.time.advance(by: .seconds(1))
            fixture.scripted.list(Array(1...number))
            _ = try await fixture.service.sync(fixture.bank, of: BankFixture.account)
        }
        #expect(try await fixture.digits() == ["0001", "0003", "0002"])
        let gone = try await card("0001")
        #expect(try await fixture.cards.remove(gone, of: BankFixture.account))
        #expect(try await fixture.digits() == ["0003", "0002"])
        #expect(try await fixture.wallet()[0].isDefault)
        #expect(try await found(gone) == nil, "it pays no more")
        #expect(fixture.notes.last == "card.removed card \(gone)")
        #expect(try await !fixture.cards.remove(gone, of: BankFixture.account), "once")
        #expect(try await !fixture.cards.setDefault(gone, of: BankFixture.account))
        for lastFour in ["0003", "0002"] {
            #expect(try await fixture.cards.remove(try await card(lastFour), of: BankFixture.account))
        }
        #expect(try await found(nil) == nil)
    }

    /// OWASP API1:2023: an id alone gives nobody a card.
    @Test func `another person's card is not found`() async throws {
        try await fixture.enrol([1, 2])
        let theirs = try await card("0002")
        let before = fixture.disk.tables.walletCards
        #expect(try await !fixture.cards.setDefault(theirs, of: BankFixture.other))
        #expect(try await !fixture.cards.remove(theirs, of: BankFixture.other))
        #expect(try await found(theirs, of: BankFixture.other) == nil)
        #expect(try await found(nil, of: BankFixture.other) == nil)
        #expect(try await fixture.cards.contents(of: BankFixture.other) == WalletContents(cards: [], banks: []))
        #expect(fixture.disk.tables.walletCards == before)
        #expect(try await found(theirs)?.label.lastFour == "0002")
    }

    @Test func `of many removals of one card at once one counts`() async throws {
        try await fixture.enrol([1, 2])
        let id = try await card("0001")
        let removed = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 { group.addTask { try await fixture.cards.remove(id, of: BankFixture.account) } }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(removed == 1)
        #expect(fixture.notes.count { $0.hasPrefix("card.removed") } == 1)
        #expect(try await fixture.wallet().map(\.isDefault) == [true])
    }
}
