import Kernel
import Logging
import Settings
import Tokens
import Wallet

/// The wallet: banks, cards and payments.
struct WalletFeature: Sendable {
    let registry: BankRegistry
    let banks: BankService
    let cards: CardService
    let payments: PaymentService

    /// `gateway`: used instead of the HTTP client for banks.
    init(_ core: CoreFeature, _ signIn: SessionFeature, gateway: (any BankGateway)?) {
        let (settings, environment, unitOfWork) = (core.settings, core.environment, core.stores.unitOfWork)
        let auditLog = core.audit.chain
        let isActive: SessionLiveness = { [sessions = signIn.activeSessions] in
            try sessions.isActive($0, of: $1, in: $2)
        }
        let wallet = core.stores.wallet.cards
        registry = BankRegistry(clock: environment.clock, gateway: gateway)
        banks = BankService(
            environment: environment,
            records: BankRecords(
                unitOfWork: unitOfWork,
                attempts: core.stores.wallet.banks,
                wallet: wallet,
                auditLog: auditLog
            ),
            gateway: registry.gateway,
            encryptor: core.secrets.encryptor,
            isActive: isActive,
            logger: core.observability.logger
        )
        cards = CardService(environment: environment, unitOfWork: unitOfWork, wallet: wallet, auditLog: auditLog)
        payments = PaymentService(
            environment: environment,
            unitOfWork: unitOfWork,
            payments: core.stores.wallet.payments,
            card: cards.card,
            isActive: isActive,
            auditLog: auditLog,
            tokens: CardTokenFactory(key: core.secrets.folder.derivedDigest(.cardToken)),
            policy: settings.wallet.payments
        )
    }

    /// Waits for requests to banks until `deadline`, because a bank may give an answer only once.
    func shutdown(by deadline: Uptime) async {
        await banks.finish(by: deadline)
        await registry.shutdown()
    }
}
