package import Kernel

/// The use cases of cards: list them, choose the default, and remove one.
package struct CardService: Sendable {
    private let environment: Environment
    private let unitOfWork: any UnitOfWork
    private let wallet: any WalletStore
    private let auditLog: any AuditLog

    package init(
        environment: Environment,
        unitOfWork: any UnitOfWork,
        wallet: any WalletStore,
        auditLog: any AuditLog
    ) {
        self.environment = environment
        self.unitOfWork = unitOfWork
        self.wallet = wallet
        self.auditLog = auditLog
    }

    /// - Throws: ``StoreError``.
    package func contents(of account: AccountID) async throws -> WalletContents {
        try await wallet.contents(of: account)
    }

    /// Returns the cards, the default one first, then the newest.
    ///
    /// - Throws: ``StoreError``.
    package func cards(of account: AccountID) async throws -> [WalletCard] {
        try await wallet.contents(of: account).cards
    }

    /// Makes a card the default of payments; returns `false` if the account has no such card.
    ///
    /// - Throws: ``StoreError``.
    package func setDefault(_ id: CardID, of account: AccountID) async throws -> Bool {
        try await unitOfWork.run { [wallet] transaction in
            var cards = CardSet(try wallet.heldCards(of: account, in: transaction))
            guard cards.setDefault(id) else { return false }
            try cards.write(to: wallet, in: transaction)
            return true
        }
    }

    /// Removes a card, so that no sync adds it again; the newest remaining card replaces a removed default.
    ///
    /// Returns `false` if the account has no such card.
    /// - Throws: ``StoreError``.
    package func remove(_ id: CardID, of account: AccountID) async throws -> Bool {
        let now = environment.now()
        return try await unitOfWork.run { [wallet, auditLog] transaction in
            var cards = CardSet(try wallet.heldCards(of: account, in: transaction))
            guard cards.remove(id, at: now) else { return false }
            try cards.write(to: wallet, in: transaction)
            try auditLog.append(
                AuditRecord(WalletAuditEvent.cardRemoved, of: account, detail: "card \(id)"),
                in: transaction
            )
            return true
        }
    }

    /// Returns the card with that id, or the default one without an id; `nil` if there is none, or it was removed.
    ///
    /// - Throws: ``StoreError``.
    package func card(
        _ id: CardID?,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> WalletCard? {
        try wallet.cards(of: account, in: transaction).first { card in
            if let id { card.id == id } else { card.isDefault }
        }
    }
}
