import HTTPAPI
import Operations
import Settings
import Wallet

/// The wallet's banks, cards and payments.
extension PublicAPI {
    func walletRoutes(_ settings: Settings, _ surface: SurfaceSettings) -> [Route] {
        let wallet = composition.wallet
        let summary = WalletAPI(accounts: composition.accounts, cards: wallet.cards, keys: composition.devices.keys)
        let own = CardsAPI(cards: wallet.cards, banks: wallet.banks, config: wallet.registry.banks, limits: bankLimits)
        return summary.routes + own.routes + enrollment(settings).routes + payments(settings, surface).routes
    }

    private func enrollment(_ settings: Settings) -> BankEnrollmentAPI {
        BankEnrollmentAPI(
            service: composition.wallet.banks,
            banks: composition.wallet.registry.banks,
            deepLinks: settings.wallet.deepLinks,
            publicURL: settings.publicURL,
            needsConfirmation: settings.wallet.confirmEnrollment,
            accounts: composition.accounts,
            browsers: composition.passkeys.browsers,
            cookies: webCookies(settings),
            environment: composition.environment,
            limits: bankLimits,
            bodyLimit: settings.limits.bodyBytes
        )
    }

    private func payments(_ settings: Settings, _ surface: SurfaceSettings) -> PaymentAPI {
        let service = composition.wallet.payments
        let confirming = PaymentConfirming(
            service: service,
            keys: composition.devices.keys,
            passkeys: settings.servesPasskeys ? PaymentPasskeys(ceremonies: ceremonies(settings, surface)) : nil,
            approvals: approvalStarter(settings),
            verifier: verifier(settings),
            clients: settings.clientDirectory,
            environment: composition.environment,
            limits: deviceLimits,
            addresses: settings.clientAddresses
        )
        return PaymentAPI(
            service: service,
            confirming: confirming,
            reply: PaymentReply(
                service: service,
                issuer: issuer(settings),
                clients: settings.clientDirectory,
                environment: composition.environment
            ),
            limits: deviceLimits,
            addresses: settings.clientAddresses,
            bodyLimit: settings.limits.bodyBytes
        )
    }
}
