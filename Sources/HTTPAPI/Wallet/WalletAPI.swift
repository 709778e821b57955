import Accounts
import Devices
import Hummingbird
import Kernel
import Wallet
import Wire

/// The routes that the wallet app calls first: the signed-in user, and the content of the wallet.
struct WalletAPI: Sendable {
    let accounts: AccountService
    let cards: CardService
    let keys: DeviceKeyService

    var routes: [Route] {
        [
            Route(.get, "/api/mobile/wallet/summary", access: .session(.wallet), use: summary),
            Route(.get, "/api/mobile/profile", access: .session(.wallet), use: profile),
        ]
    }

    /// `GET /api/mobile/wallet/summary`: the app needs the answer within ten seconds of its start.
    private func summary(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        let contents = try await cards.contents(of: who.account)
        return JSONReply.encode(
            WalletSummaryResponse(
                user: try await user(who),
                cards: contents.cards.map { WalletCardView($0) },
                enrolledBanks: contents.banks.map { WalletBankView(bsimId: $0.id, name: $0.name, cardCount: $0.cards) },
                biometricEnabled: try await hasKey(who)
            )
        )
    }

    /// `GET /api/mobile/profile`.
    private func profile(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        JSONReply.encode(ProfileResponse(user: try await user(who), biometricEnabled: try await hasKey(who)))
    }

    private func user(_ who: SignedIn) async throws -> SignedInUser {
        guard let record = try await accounts.active(who.account) else { throw APIError.unauthorized(.badToken) }
        return SignedInUser(record.profile)
    }

    private func hasKey(_ who: SignedIn) async throws -> Bool {
        guard let device = who.device else { return false }
        return try await keys.hasKey(device, of: who.account)
    }
}
