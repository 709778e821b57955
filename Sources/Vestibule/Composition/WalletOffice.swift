import Kernel
import Logging
import Settings
import Storage
import Tokens
import Wallet

/// All that is done with the wallet: banks, cards and payments.
struct WalletOffice: Sendable {
    let shelf: BankShelf
    let attempts: SQLiteBankEnrolmentStore
    let paymentStore: SQLitePaymentStore
    let banks: BankDesk
    let cards: CardDesk
    let payments: PaymentDesk

    init(
        _ settings: Settings,
        facts: Facts,
        logger: Logger,
        keyFolder: KeyFolder,
        database: SQLiteDatabase,
        unitOfWork: any UnitOfWork,
        sessions: any WalletSessions,
        journal: any WalletJournal,
        gateway: (any BankGateway)?
    ) {
        let wallet = SQLiteWalletStore(database)
        shelf = BankShelf(settings, clock: facts.clock, gateway: gateway)
        attempts = SQLiteBankEnrolmentStore(database)
        paymentStore = SQLitePaymentStore(database)
        banks = BankDesk(
            facts: facts,
            unitOfWork: unitOfWork,
            attempts: attempts,
            wallet: wallet,
            gateway: shelf.gateway,
            sealing: WalletSealAdapter(
                sealer: Sealer(settings.secrets.sealingKeys, folder: keyFolder, facts: facts)
            ),
            sessions: sessions,
            journal: journal,
            logger: logger
        )
        cards = CardDesk(facts: facts, unitOfWork: unitOfWork, wallet: wallet, journal: journal)
        payments = PaymentDesk(
            facts: facts,
            unitOfWork: unitOfWork,
            payments: paymentStore,
            cards: cards,
            sessions: sessions,
            journal: journal,
            tokens: CardTokenMint(key: keyFolder.derivedDigest(.cardToken)),
            policy: settings.wallet.payments.policy
        )
    }

    /// What is under way with banks ends first, until `deadline`: their answers may come only once.
    func shutdown(by deadline: Uptime) async {
        await banks.finish(by: deadline)
        await shelf.shutdown()
    }
}
