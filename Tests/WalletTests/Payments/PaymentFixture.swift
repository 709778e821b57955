import Kernel
import MemoryStore
import StoreContract
import Synchronization
import Testing

@testable import Wallet

/// A person with a card, an app and the service between them, in virtual time.
struct PaymentFixture: Sendable {
    let time = VirtualTime()
    let disk = MemoryDisk()
    let storage: MemoryStorage
    let environment: Environment
    let world = PaymentWorld()
    let service: PaymentService
    let factory = CardTokenFactory(key: PaymentSample.digest(7, 7))

    static let ada = AccountID(UUIDBits(high: 0xA, low: 1))
    static let bob = AccountID(UUIDBits(high: 0xB, low: 1))
    static let phone = SessionID(UUIDBits(high: 0xA, low: 2))
    static let tablet = SessionID(UUIDBits(high: 0xA, low: 3))
    static let bobsPhone = SessionID(UUIDBits(high: 0xB, low: 2))
    static let card = CardID(UUIDBits(high: 0xA, low: 4))
    static let otherCard = CardID(UUIDBits(high: 0xA, low: 5))
    static let bobsCard = CardID(UUIDBits(high: 0xB, low: 4))

    init(policy: PaymentPolicy = PaymentPolicy(), key: Digest256 = PaymentSample.digest(7, 7)) {
        storage = disk.open()
        environment = time.environment()
        service = PaymentService(
            environment: environment,
            unitOfWork: storage.unitOfWork,
            payments: storage.payments,
            card: world.card,
            isActive: world.isActive,
            auditLog: world,
            tokens: CardTokenFactory(key: key),
            policy: policy
        )
    }

    static func draft(
        _ account: AccountID = ada,
        in session: SessionID = phone,
        client: String = "wallet-app",
        card: CardID? = nil,
        value: String = "12.50",
        currency: String = "EUR",
        merchant: String = "Möbel & Söhne",
        merchantID: String? = "shop-7",
        key: String? = nil
    ) throws -> PaymentDraft {
        PaymentDraft(
            account: account,
            session: session,
            client: client,
            card: card,
            money: try #require(Money(value: value, currency: currency)),
            merchant: try #require(Merchant(name: merchant, id: merchantID)),
            idempotencyKey: key
        )
    }

    /// A payment that waits.
    func begun(_ draft: PaymentDraft? = nil) async throws -> Payment {
        let draft = try draft ?? Self.draft()
        return try await service.initiate(draft).payment
    }

    func confirm(
        _ payment: Payment,
        as account: AccountID = ada,
        in session: SessionID = phone,
        by method: PaymentMethod = .deviceKey,
        holds: Bool = true
    ) async throws -> ConfirmedPayment {
        try await service.confirm(payment.id, of: account, session: session, by: method) { [world] _ in
            world.countProof()
            return holds
        }
    }

    func confirmed(_ draft: PaymentDraft? = nil) async throws -> ConfirmedPayment {
        try await confirm(begun(draft))
    }

    /// The row, as it is.
    func row(_ payment: Payment) throws -> Payment { try #require(disk.tables.payments[payment.id]) }

    /// Returns the error of a refusal, or `nil`.
    func refusal(_ body: () async throws -> Void) async throws -> PaymentError? {
        do {
            try await body()
            return nil
        } catch let refusal as PaymentError { return refusal }
    }
}

/// The ports of payments: cards, sessions and the audit log.
///
/// It also records the calls of a unit that is repeated or undone.
final class PaymentWorld: AuditLog {
    struct State: Sendable {
        var cards: [CardID: AccountID] = [
            PaymentFixture.card: PaymentFixture.ada, PaymentFixture.otherCard: PaymentFixture.ada,
            PaymentFixture.bobsCard: PaymentFixture.bob,
        ]
        var defaults: [AccountID: CardID] = [
            PaymentFixture.ada: PaymentFixture.card, PaymentFixture.bob: PaymentFixture.bobsCard,
        ]
        var sessions: [SessionID: AccountID] = [
            PaymentFixture.phone: PaymentFixture.ada, PaymentFixture.tablet: PaymentFixture.ada,
            PaymentFixture.bobsPhone: PaymentFixture.bob,
        ]
        var disabled: Set<AccountID> = []
        var auditLog: [String] = []
        var proofs = 0
    }

    private let state = Mutex(State())

    func change(_ body: @Sendable (inout State) -> Void) { state.withLock { body(&$0) } }

    func countProof() { change { $0.proofs += 1 } }

    var proofs: Int { state.withLock(\.proofs) }

    /// Each fact once: a unit may be run twice.
    var auditLog: [String] {
        state.withLock { $0.auditLog.reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
    }

    func card(_ id: CardID?, of account: AccountID, in transaction: borrowing Transaction) throws -> WalletCard? {
        state.withLock { state in
            guard let id = id ?? state.defaults[account], state.cards[id] == account else { return nil }
            return WalletCard(
                id: id,
                reference: "reference-of-\(id)",
                label: PaymentSample.label,
                bankID: "ant",
                bankLogo: nil,
                isDefault: state.defaults[account] == id,
                addedAt: PaymentSample.now
            )
        }
    }

    func isActive(_ session: SessionID, of account: AccountID, in transaction: borrowing Transaction) throws -> Bool {
        state.withLock { $0.sessions[session] == account && !$0.disabled.contains(account) }
    }

    func append(_ record: AuditRecord, in transaction: borrowing Transaction) {
        change { $0.auditLog.append("\(record.event) \(record.detail ?? "")") }
    }
}
