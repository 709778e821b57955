package import Kernel
import Testing
package import Wallet

/// The contract of every store of cards and banks, one case a promise.
package enum WalletStoreContract: String, StorePromise {
    case showsContents = "a wallet has the account's own cards, the default one first, and its banks by name"
    case keepsCards = "a card comes back as it was written, a removed one in no list"
    case oneDefault = "an account has one default card"
    case oneReference = "a reference is one card's of a bank and account"
    case ownersStay = "a card is never written over as another account's"
    case linksSwap = "of many changes over one version of a link one counts"
    case unlinks = "a bank that was unlinked is in no list and keeps its row"
    case forgets = "removed cards are forgotten over so many, those that a person removed last"
    case undoes = "what a failing unit changed is as it was"

    /// Checks this promise over an empty store that has those two accounts.
    package func check(
        over store: some WalletStore,
        _ unitOfWork: some UnitOfWork,
        accounts: [AccountID]
    ) async throws {
        let subject = WalletUnderTest(store: store, unitOfWork: unitOfWork, accounts: accounts)
        switch self {
        case .showsContents: try await subject.checkContents()
        case .keepsCards: try await subject.checkCards()
        case .oneDefault: try await subject.checkDefault()
        case .oneReference: try await subject.checkReferences()
        case .ownersStay: try await subject.checkOwners()
        case .linksSwap: try await subject.checkLinks()
        case .unlinks: try await subject.checkUnlinking()
        case .forgets: try await subject.checkForgetting()
        case .undoes: try await subject.checkUndoing()
        }
    }
}

private struct WalletUnderTest<Store: WalletStore, Work: UnitOfWork> {
    let store: Store
    let unitOfWork: Work
    let accounts: [AccountID]

    private static var now: Instant { Instant(milliseconds: 1_800_000_000_123) }

    func checkContents() async throws {
        #expect(try await store.contents(of: accounts[0]) == WalletContents(cards: [], banks: []))
        #expect(try await put(link("z", name: "Zebra Bank")))
        #expect(try await put(link("a", name: "Ant Bank", isBare: true)))
        #expect(try await put(link("z", of: 1)))
        try await put([card(1, addedAt: 9), card(2, isDefault: true, addedAt: 5), card(3, addedAt: 10)])
        try await put([card(4, of: 1, isDefault: true)])
        let found = try await store.contents(of: accounts[0])
        #expect(found.cards.map(\.id) == [2, 3, 1].map(Self.id))
        let shown = WalletCard(
            id: Self.id(2),
            reference: "ref-2",
            label: CardLabel(lastFour: "0002", cardType: "VISA", bankName: "Zebra Bank"),
            bankID: "z",
            bankLogo: "https://bank.example.com/logo.svg",
            isDefault: true,
            addedAt: Instant(milliseconds: 5)
        )
        #expect(found.cards[0] == shown)
        let banks = [
            WalletBank(id: "a", name: "Ant Bank", cards: 0), WalletBank(id: "z", name: "Zebra Bank", cards: 3),
        ]
        #expect(found.banks == banks)
        let inside = try await unitOfWork.run { [store, accounts] in try store.cards(of: accounts[0], in: $0) }
        #expect(inside == found.cards)
        #expect(try await store.contents(of: accounts[1]).cards.map(\.id) == [Self.id(4)])
    }

    func checkCards() async throws {
        #expect(try await put(link("z")))
        var removed = card(2)
        for cause in HeldCard.Removal.Cause.allCases {
            removed.removal = .init(at: Self.now, cause: cause)
            try await put([card(1), removed])
            #expect(try await held() == [card(1), removed])
            #expect(try await store.contents(of: accounts[0]).cards.map(\.id) == [Self.id(1)])
            #expect(try await store.contents(of: accounts[0]).banks.map(\.cards) == [1])
        }
        try await put([card(2)])
        #expect(try await held() == [card(1), card(2)])
    }

    func checkDefault() async throws {
        #expect(try await put(link("z")))
        #expect(try await put(link("z", of: 1)))
        try await put([card(1, isDefault: true), card(2), card(3, of: 1, isDefault: true)])
        await expectConflict { try await put([card(2, isDefault: true)]) }
        try await put([card(1), card(2, isDefault: true)])
        #expect(try await held().filter(\.isDefault).map(\.id) == [Self.id(2)])
    }

    func checkReferences() async throws {
        #expect(try await put(link("z")))
        #expect(try await put(link("a")))
        try await put([card(1)])
        await expectConflict { try await put([card(2, reference: 1)]) }
        try await put([card(2, bank: "a", reference: 1)])
        await expectConflict { try await put([card(3, bank: "none")]) }
        #expect(try await held().map(\.id) == [Self.id(1), Self.id(2)])
    }

    func checkOwners() async throws {
        #expect(try await put(link("z")))
        #expect(try await put(link("z", of: 1)))
        try await put([card(1)])
        await expectConflict { try await put([card(1, of: 1)]) }
        #expect(try await held() == [card(1)])
    }

    func checkLinks() async throws {
        let first = link("z")
        #expect(try await put(first))
        #expect(try await !put(link("z", name: "Other")), "there is one")
        #expect(try await store.link("z", of: accounts[0]) == first)
        #expect(try await store.link("z", of: accounts[1]) == nil)
        let inside = try await unitOfWork.run { [store, accounts] in try store.link("z", of: accounts[0], in: $0) }
        #expect(inside == first)
        let changes = (0..<8).map { number in
            var change = link("z", name: "Bank \(number)", isBare: true)
            change.version = 2
            return change
        }
        let written = try await withThrowingTaskGroup(of: BankLink?.self) { group in
            for change in changes { group.addTask { try await put(change, over: 1) ? change : nil } }
            return try await group.reduce(into: [BankLink]()) { if let link = $1 { $0.append(link) } }
        }
        try #require(written.count == 1)
        #expect(try await store.link("z", of: accounts[0]) == written[0])
    }

    func checkUnlinking() async throws {
        #expect(try await put(link("z")))
        var closed = link("z")
        closed.tokens = nil
        closed.unlinkedAt = Self.now
        closed.version = 2
        #expect(try await put(closed, over: 1))
        #expect(try await store.contents(of: accounts[0]).banks.isEmpty)
        #expect(try await store.link("z", of: accounts[0]) == closed)
    }

    func checkForgetting() async throws {
        #expect(try await put(link("z")))
        #expect(try await put(link("a")))
        let causes: [HeldCard.Removal.Cause] = [.person, .bank, .unlink, .bank, .bank]
        for (number, cause) in zip(1..., causes) {
            var removed = card(UInt64(number))
            removed.removal = .init(at: Self.now + .seconds(Int64(number)), cause: cause)
            try await put([removed])
        }
        var elsewhere = card(8, bank: "a")
        elsewhere.removal = .init(at: Self.now - .seconds(9), cause: .bank)
        try await put([card(7), elsewhere])
        try await unitOfWork.run { [store, accounts] transaction in
            try store.forgetRemoved("z", of: accounts[0], keeping: 3, in: transaction)
        }
        #expect(Set(try await held().map(\.id)) == Set([1, 4, 5, 7, 8].map(Self.id)))
    }

    func checkUndoing() async throws {
        let (link, card) = (link("z"), card(1))
        await #expect(throws: InjectedError.self) {
            try await unitOfWork.run { [store] transaction in
                _ = try store.put(link, over: nil, in: transaction)
                try store.put(card, in: transaction)
                throw InjectedError()
            }
        }
        #expect(try await store.link("z", of: accounts[0]) == nil)
        #expect(try await held().isEmpty)
    }

    private func expectConflict(_ body: () async throws -> Void) async {
        do {
            try await body()
            Issue.record("it was taken")
        } catch StoreError.conflict {
            return
        } catch { Issue.record("\(error)") }
    }

    private func put(_ link: BankLink, over version: Int? = nil) async throws -> Bool {
        try await unitOfWork.run { [store] in try store.put(link, over: version, in: $0) }
    }

    private func put(_ cards: [HeldCard]) async throws {
        try await unitOfWork.run { [store] transaction in
            for card in cards { try store.put(card, in: transaction) }
        }
    }

    private func held() async throws -> [HeldCard] {
        try await unitOfWork.run { [store, accounts] in try store.heldCards(of: accounts[0], in: $0) }
    }

    private static func id(_ number: UInt64) -> CardID { CardID(UUIDBits(high: 0xCA, low: number)) }

    private func card(
        _ number: UInt64,
        of account: Int = 0,
        bank: String = "z",
        reference: UInt64? = nil,
        isDefault: Bool = false,
        addedAt: Int64 = 7
    ) -> HeldCard {
        HeldCard(
            id: Self.id(number),
            account: accounts[account],
            bankID: bank,
            bankCard: BankCard(reference: "ref-\(reference ?? number)", lastFour: "000\(number)", network: "VISA"),
            isDefault: isDefault,
            addedAt: Instant(milliseconds: addedAt)
        )
    }

    private func link(
        _ bank: String,
        of account: Int = 0,
        name: String = "Example Bank",
        isBare: Bool = false
    ) -> BankLink {
        BankLink(
            account: accounts[account],
            bankID: bank,
            name: name,
            logoURL: isBare ? nil : "https://bank.example.com/logo.svg",
            tokens: .init(
                access: "sealed",
                refresh: isBare ? nil : "sealed too",
                expiresAt: isBare ? nil : Self.now + .seconds(60),
                leaseEnd: isBare ? nil : Self.now + .seconds(20)
            ),
            enrolledAt: Self.now
        )
    }
}
