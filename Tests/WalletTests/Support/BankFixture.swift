import CodeFlow
import Kernel
import Logging
import MemoryStore
import Synchronization
import Wallet

/// A wallet with one bank to enrol, over the in-memory store and a bank that does as it is told.
final class BankFixture: Sendable {
    let time: VirtualTime
    let disk: MemoryDisk
    let storage: MemoryStorage
    let bank = BankFixture.bank("eb")
    let scripted: ScriptedBank
    let sessions = SessionTable()
    let encryptor = MirrorEncryptor()
    let service: BankService
    let cards: CardService

    static let account = AccountID(UUIDBits(high: 0xA, low: 1))
    static let other = AccountID(UUIDBits(high: 0xA, low: 2))
    static let session = SessionID(UUIDBits(high: 0x5, low: 1))

    /// `earlier`: the process before, whose store and bank are there still.
    init(over earlier: BankFixture? = nil) {
        time = earlier?.time ?? VirtualTime()
        disk = earlier?.disk ?? MemoryDisk()
        scripted = earlier?.scripted ?? ScriptedBank()
        storage = disk.open()
        let environment = time.environment()
        service = BankService(
            environment: environment,
            records: BankRecords(
                unitOfWork: storage.unitOfWork,
                attempts: storage.bankEnrolments,
                wallet: storage.wallet,
                auditLog: storage.auditLog
            ),
            gateway: scripted,
            encryptor: encryptor,
            isActive: sessions.isActive,
            logger: Logger(label: "test")
        )
        cards = CardService(
            environment: environment,
            unitOfWork: storage.unitOfWork,
            wallet: storage.wallet,
            auditLog: storage.auditLog
        )
    }

    static func bank(_ id: String, issuer: String? = nil) -> Bank {
        Bank(
            id: id,
            name: "Example Bank & Söner",
            logoURL: "https://bank.example.com/logo.svg",
            server: AuthorizationServer(
                issuer: issuer,
                authorizeURL: "https://bank.example.com/authorize?brand=1",
                tokenURL: "https://bank.example.com/token",
                client: ClientRegistration(id: "wallet", authentication: .none),
                scopes: ["cards", "offline_access"]
            ),
            cardsURL: "https://bank.example.com/cards"
        )
    }

    /// The contents of the audit log.
    var notes: [String] { disk.tables.auditLog.map { "\($0.event) \($0.detail ?? "")" } }

    func order(
        _ bank: Bank? = nil,
        of account: AccountID = account,
        browser: String? = nil,
        asks: Bool = false
    ) -> BankEnrolmentRequest {
        let bank = bank ?? self.bank
        return BankEnrolmentRequest(
            initiator: EnrolmentInitiator(account: account, session: Self.session),
            bank: bank,
            redirectURI: "https://id.example.com/api/enrollment/callback/\(bank.id)",
            browser: browser.map { Secret($0) },
            destination: .app(deepLink: "mwsim://enrollment/callback"),
            needsConfirmation: asks
        )
    }

    func start(browser: String? = nil, asks: Bool = false) async throws -> StartedEnrolment {
        try await service.start(order(browser: browser, asks: asks))
    }

    func handleCallback(
        _ state: Secret,
        code: String? = "code",
        error: String? = nil,
        issuer: String? = nil,
        at bankID: String = "eb",
        banks: [Bank]? = nil,
        browser: String? = nil,
        question: Secret? = nil,
        webAccount: AccountID? = nil
    ) async throws -> CallbackOutcome {
        let banks = banks ?? [bank, Self.bank("other")]
        return try await service.handleCallback(
            AuthorizationCallback(state: state.expose(), code: code, error: error, issuer: issuer),
            bankID: bankID,
            bank: { id in banks.first { $0.id == id } },
            browser: browser.map { Secret($0) },
            question: question,
            webAccount: webAccount
        )
    }

    func confirm(_ token: Secret, agrees: Bool = true) async throws -> CallbackOutcome {
        try await service.confirm(token: token, agrees: agrees, bank: { $0 == "eb" ? bank : nil })
    }

    /// Enrols the bank with those cards in its list.
    @discardableResult
    func enrol(_ numbers: [Int]) async throws -> CallbackOutcome {
        scripted.list(numbers)
        return try await handleCallback(try await start().state)
    }

    func wallet() async throws -> [WalletCard] { try await cards.cards(of: Self.account) }

    /// The last four digits of the wallet's cards, the default one first.
    func digits() async throws -> [String] { try await wallet().map(\.label.lastFour) }

    func link() async throws -> BankLink? { try await storage.wallet.link("eb", of: Self.account) }
}

extension CallbackOutcome {
    /// The outcome of an end.
    var outcome: EnrolmentEnd.Outcome? {
        if case .ended(let end) = self { end.result } else { nil }
    }

    /// The token of a question.
    var question: Secret? {
        if case .confirm(let token, _, _, _) = self { token } else { nil }
    }
}

/// Sessions that are active until they are told not to.
final class SessionTable: Sendable {
    private let over = Mutex(false)

    func end() { over.withLock { $0 = true } }

    func isActive(
        _ session: SessionID,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> Bool { over.withLock { !$0 } }
}
