import Hummingbird
import Kernel
import Wallet
import Wire

/// The routes by which owners list, choose and remove their cards, and sync or unlink a bank.
struct CardsAPI: Sendable {
    let cards: CardService
    let banks: BankService
    let config: [String: Bank]
    let limits: BankLimits?

    var routes: [Route] {
        let wallet = "/api/mobile/wallet"
        return [
            Route(.get, wallet + "/cards", access: .session(.wallet), use: list),
            Route(.post, wallet + "/cards/{cardId}/default", access: .session(.wallet), use: setDefault),
            Route(.delete, wallet + "/cards/{cardId}", access: .session(.wallet), use: remove),
            Route(.post, wallet + "/banks/{bsimId}/sync", access: .session(.wallet), use: sync),
            Route(.delete, wallet + "/banks/{bsimId}", access: .session(.wallet), use: unlink),
        ]
    }

    /// `GET /api/mobile/wallet/cards`: lists the default card first, then the newest.
    private func list(
        _ request: Request,
        _ context: APIContext,
        by who: SignedIn
    ) async throws -> Response { try await list(of: who) }

    /// `POST /api/mobile/wallet/cards/{cardId}/default`: makes the card the default, and returns the new list.
    private func setDefault(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        guard try await cards.setDefault(try context.id("cardId", else: .cardNotFound), of: who.account) else {
            throw APIError.cardNotFound
        }
        return try await list(of: who)
    }

    /// `DELETE /api/mobile/wallet/cards/{cardId}`: removes the card for good: no sync restores it.
    private func remove(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        guard try await cards.remove(try context.id("cardId", else: .cardNotFound), of: who.account) else {
            throw APIError.cardNotFound
        }
        return JSONReply.encode(ChangedResponse(message: "Card removed"))
    }

    /// `POST /api/mobile/wallet/banks/{bsimId}/sync`: fetches the bank's cards again.
    private func sync(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        // A bank that is no longer in the config cannot be asked, even if its cards are in the wallet.
        guard let bank = config[context.parameters.get("bsimId") ?? ""] else { throw APIError.bankNotEnrolled }
        try await limits?.admitSync(by: who.account)
        let result = try await banks.sync(bank, of: who.account)
        return JSONReply.encode(
            SyncResponse(cards: result.cards.map { WalletCardView($0) }, added: result.added, removed: result.removed)
        )
    }

    /// `DELETE /api/mobile/wallet/banks/{bsimId}`: works for a bank that is no longer in the config, too.
    private func unlink(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        let id = context.parameters.get("bsimId") ?? ""
        guard try await banks.unlink(bankID: id, of: who.account) else { throw APIError.bankNotEnrolled }
        return JSONReply.encode(ChangedResponse(message: "Bank unlinked"))
    }

    private func list(of who: SignedIn) async throws -> Response {
        let listed = try await cards.cards(of: who.account)
        return JSONReply.encode(WalletCardsResponse(cards: listed.map { WalletCardView($0) }))
    }
}

extension WalletCardView {
    /// Creates the view without the bank's card reference, which only payments use.
    init(_ card: WalletCard) {
        self.init(
            id: card.id.description,
            lastFour: card.label.lastFour,
            cardType: card.label.cardType,
            bankName: card.label.bankName,
            bankLogo: card.bankLogo,
            bsimId: card.bankID,
            isDefault: card.isDefault,
            addedAt: card.addedAt.internetDate
        )
    }
}
