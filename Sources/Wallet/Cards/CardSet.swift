import Kernel

/// All cards of an account, including removed ones, with the changed rows to be written.
///
/// If there are cards in the wallet, one of them is the default.
struct CardSet {
    private var cards: [HeldCard]
    private var changed: Set<CardID> = []
    /// The number of cards that ``merge(_:of:for:at:newID:)`` added.
    private(set) var added = 0
    private(set) var removed = 0

    init(_ held: [HeldCard]) { cards = held }

    /// Returns the number of a bank's cards in the wallet.
    func count(at bankID: String) -> Int { cards.count { $0.bankID == bankID && $0.removal == nil } }

    /// Returns `false` if the card does not exist.
    mutating func setDefault(_ id: CardID) -> Bool {
        guard let index = index(of: id) else { return false }
        makeDefault(index)
        return true
    }

    /// Returns `false` if the card does not exist.
    mutating func remove(_ id: CardID, at now: Instant) -> Bool {
        guard let index = index(of: id) else { return false }
        remove(index, HeldCard.Removal(at: now, cause: .person))
        elect()
        return true
    }

    /// Removes all cards of a bank, including those that the person removed, so that a new enrolment adds them again.
    mutating func unlink(_ bankID: String, at now: Instant) {
        for index in cards.indices where cards[index].bankID == bankID {
            remove(index, HeldCard.Removal(at: cards[index].removal?.at ?? now, cause: .unlink))
        }
        elect()
    }

    /// Merges a bank's list of cards; cards that the person removed stay removed.
    mutating func merge(
        _ listed: [BankCard],
        of bankID: String,
        for account: AccountID,
        at now: Instant,
        newID: () -> CardID
    ) {
        let references = Set(listed.map(\.reference))
        for index in cards.indices
        where cards[index].bankID == bankID && cards[index].removal == nil
            && !references.contains(cards[index].bankCard.reference)
        {
            remove(index, HeldCard.Removal(at: now, cause: .bank))
            removed += 1
        }
        for card in listed { merge(card, of: bankID, for: account, at: now, newID: newID) }
        elect()
    }

    /// Writes the changed cards, the default one last.
    func write(to wallet: any WalletStore, in transaction: borrowing Transaction) throws {
        let rows = cards.filter { changed.contains($0.id) }
        for card in rows where !card.isDefault { try wallet.put(card, in: transaction) }
        for card in rows where card.isDefault { try wallet.put(card, in: transaction) }
    }

    private mutating func merge(
        _ card: BankCard,
        of bankID: String,
        for account: AccountID,
        at now: Instant,
        newID: () -> CardID
    ) {
        guard let index = cards.firstIndex(where: { $0.bankID == bankID && $0.bankCard.reference == card.reference })
        else {
            let new = HeldCard(
                id: newID(),
                account: account,
                bankID: bankID,
                bankCard: card,
                isDefault: false,
                addedAt: now
            )
            cards.append(new)
            changed.insert(new.id)
            added += 1
            return
        }
        guard cards[index].removal?.cause != .person else { return }
        var held = cards[index]
        if held.removal != nil {
            held.removal = nil
            held.addedAt = now
            added += 1
        }
        held.bankCard = card
        replace(index, held)
    }

    private func index(of id: CardID) -> Int? { cards.firstIndex { $0.id == id && $0.removal == nil } }

    private mutating func remove(_ index: Int, _ removal: HeldCard.Removal) {
        var card = cards[index]
        card.removal = removal
        card.isDefault = false
        replace(index, card)
    }

    private mutating func makeDefault(_ chosen: Int) {
        for index in cards.indices {
            var card = cards[index]
            card.isDefault = index == chosen
            replace(index, card)
        }
    }

    /// Makes the newest card the default if there is none; of cards added together, the first in the bank's list.
    private mutating func elect() {
        guard !cards.contains(where: \.isDefault) else { return }
        let live = cards.indices.filter { cards[$0].removal == nil }
        guard let newest = live.map({ cards[$0].addedAt }).max(),
            let chosen = live.first(where: { cards[$0].addedAt == newest })
        else { return }
        makeDefault(chosen)
    }

    private mutating func replace(_ index: Int, _ card: HeldCard) {
        guard cards[index] != card else { return }
        cards[index] = card
        changed.insert(card.id)
    }
}
