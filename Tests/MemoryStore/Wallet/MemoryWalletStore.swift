package import Kernel
package import Wallet

/// Cards and banks of the in-memory store.
package struct MemoryWalletStore: WalletStore {
    let connection: MemoryConnection

    package func contents(of account: AccountID) async throws -> WalletContents {
        try await connection.read { tables in
            WalletContents(cards: Self.shown(account, tables), banks: Self.banks(account, tables))
        }
    }

    package func cards(of account: AccountID, in transaction: borrowing Transaction) throws -> [WalletCard] {
        Self.shown(account, try transaction.draft().tables)
    }

    package func heldCards(of account: AccountID, in transaction: borrowing Transaction) throws -> [HeldCard] {
        try transaction.draft().tables.walletCards.values.filter { $0.account == account }
            .sorted { ($0.addedAt, $0.id.description) < ($1.addedAt, $1.id.description) }
    }

    package func put(_ card: HeldCard, in transaction: borrowing Transaction) throws {
        let draft = try transaction.draft()
        guard draft.tables.bankLinks[BankLinkKey(card.account, card.bankID)] != nil else {
            throw StoreError.conflict(cause: "the bank has no link")
        }
        let others = draft.tables.walletCards.values.filter { $0.account == card.account && $0.id != card.id }
        guard !card.isDefault || !others.contains(where: \.isDefault) else {
            throw StoreError.conflict(cause: "there is a default card")
        }
        guard !others.contains(where: { $0.bankID == card.bankID && $0.bankCard.reference == card.bankCard.reference })
        else {
            throw StoreError.conflict(cause: "there is such a reference")
        }
        if let held = draft.tables.walletCards[card.id] {
            guard
                (held.account, held.bankID, held.bankCard.reference)
                    == (card.account, card.bankID, card.bankCard.reference)
            else {
                throw StoreError.conflict(cause: "a card is another account's or bank's")
            }
        }
        draft.tables.walletCards[card.id] = card
    }

    package func forgetRemoved(
        _ bankID: String,
        of account: AccountID,
        keeping: Int,
        in transaction: borrowing Transaction
    ) throws {
        let draft = try transaction.draft()
        let removed = draft.tables.walletCards.values
            .filter { $0.account == account && $0.bankID == bankID && $0.removal != nil }
            .sorted { Self.rank($0) > Self.rank($1) }
        for card in removed.dropFirst(keeping) { draft.tables.walletCards[card.id] = nil }
    }

    package func link(_ bankID: String, of account: AccountID) async throws -> BankLink? {
        try await connection.read { tables in tables.bankLinks[BankLinkKey(account, bankID)] }
    }

    package func link(
        _ bankID: String,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> BankLink? { try transaction.draft().tables.bankLinks[BankLinkKey(account, bankID)] }

    package func put(_ link: BankLink, over version: Int?, in transaction: borrowing Transaction) throws -> Bool {
        let draft = try transaction.draft()
        let key = BankLinkKey(link.account, link.bankID)
        guard draft.tables.bankLinks[key]?.version == version else { return false }
        draft.tables.bankLinks[key] = link
        return true
    }

    private static func rank(_ card: HeldCard) -> (Int, Int64) {
        (card.removal?.cause == .person ? 1 : 0, card.removal?.at.milliseconds ?? 0)
    }

    private static func shown(_ account: AccountID, _ tables: MemoryTables) -> [WalletCard] {
        tables.walletCards.values.filter { $0.account == account && $0.removal == nil }
            .sorted {
                if $0.isDefault != $1.isDefault { return $0.isDefault }
                if $0.addedAt != $1.addedAt { return $0.addedAt > $1.addedAt }
                return $0.id.description < $1.id.description
            }
            .compactMap { card in
                tables.bankLinks[BankLinkKey(account, card.bankID)].map { WalletCard(card, at: $0) }
            }
    }

    private static func banks(_ account: AccountID, _ tables: MemoryTables) -> [WalletBank] {
        tables.bankLinks.values.filter { $0.account == account && $0.unlinkedAt == nil }
            .sorted { ($0.name, $0.bankID) < ($1.name, $1.bankID) }
            .map { link in
                let cards = tables.walletCards.values.count {
                    $0.account == account && $0.bankID == link.bankID && $0.removal == nil
                }
                return WalletBank(id: link.bankID, name: link.name, cards: cards)
            }
    }
}

/// The key of a link.
package struct BankLinkKey: Hashable, Sendable {
    package let account: AccountID
    package let bankID: String

    package init(_ account: AccountID, _ bankID: String) {
        self.account = account
        self.bankID = bankID
    }
}

extension WalletCard {
    fileprivate init(_ card: HeldCard, at link: BankLink) {
        self.init(
            id: card.id,
            reference: card.bankCard.reference,
            label: CardLabel(
                lastFour: card.bankCard.lastFour,
                cardType: card.bankCard.network,
                bankName: link.name
            ),
            bankID: card.bankID,
            bankLogo: link.logoURL,
            isDefault: card.isDefault,
            addedAt: card.addedAt
        )
    }
}
