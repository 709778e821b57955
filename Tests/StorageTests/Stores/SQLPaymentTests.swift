import Accounts
import GRDB
import Kernel
import StoreContract
import Testing
import Wallet

@testable import Storage

/// Payments on every engine.
struct SQLPaymentTests {
    private let account = Sample.accountID(1)

    @Test(arguments: PaymentStoreContract.allCases, StorageEngine.allCases)
    func `payments keep the contract`(_ promise: PaymentStoreContract, _ engine: StorageEngine) async throws {
        try await engine.run(accounts: 2) { stores in
            try await promise.check(
                over: SQLPaymentStore(stores.database),
                purge: SQLExpiringRows.payments.purge,
                stores.unitOfWork,
                account: account,
                other: Sample.accountID(2)
            )
        }
    }

    @Test(arguments: StorageEngine.allCases)
    func `payments go with their account, and not with their card`(_ engine: StorageEngine) async throws {
        let payment = PaymentSample.payment(1, of: account)
        try await engine.run(accounts: 1) { stores in
            let store = SQLPaymentStore(stores.database)
            try await Self.insert(payment, stores)
            try await stores.change("DELETE FROM wallet_cards WHERE id = ?", [payment.contents.card.column])
            #expect(try await store.find(payment.id) == payment)
            try await stores.change("DELETE FROM accounts WHERE id = ?", [account.column])
            #expect(try await store.find(payment.id) == nil)
        }
    }

    @Test(
        arguments: [
            "amount = '0.00'", "amount = '1e3'", "amount = '007'", "currency = 'eur'", "merchant = '\u{202E}x'",
            "merchant_id = 'a b'", "card = 'x'", "id = 'x'", "session = ''",
        ],
        StorageEngine.allCases
    )
    func `a row that no version of this program wrote is corrupt, never half read`(
        _ change: String,
        _ engine: StorageEngine
    ) async throws {
        try await engine.run(accounts: 1) { stores in
            let store = SQLPaymentStore(stores.database)
            try await Self.insert(PaymentSample.payment(1, of: account), stores)
            try await stores.change("UPDATE payments SET \(change)")
            let error = await #expect(throws: StoreError.self) {
                _ = try await store.list(of: account, before: nil, limit: 9)
            }
            guard case .corrupt? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test(arguments: StorageEngine.allCases)
    func `attack: a second payment with the same card token is refused as a conflict`(
        _ engine: StorageEngine
    ) async throws {
        let payments = (1...2 as ClosedRange<UInt64>).map { PaymentSample.payment($0, of: account) }
        let confirmed = PaymentState.confirmed(PaymentSample.confirmation(1))
        try await engine.run(accounts: 1) { stores in
            let store = SQLPaymentStore(stores.database)
            for payment in payments { try await Self.insert(payment, stores) }
            let isFirst = try await stores.unitOfWork.run {
                try store.update(payments[0].like(confirmed), over: 1, in: $0)
            }
            #expect(isFirst)
            let error = await #expect(throws: StoreError.self) {
                _ = try await stores.unitOfWork.run {
                    try store.update(payments[1].like(confirmed), over: 1, in: $0)
                }
            }
            guard case .conflict? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test(arguments: [
        "account = 'a' ORDER BY created_at DESC, id DESC LIMIT 9", "account = 'a' AND created_at >= 5",
        "account = 'a' AND idempotency_key = zeroblob(32)", "card_token = zeroblob(32)",
        "created_at < 5 ORDER BY created_at LIMIT 9",
    ])
    func `SQLite looks lists, limits and keys up by an index`(_ condition: String) throws {
        let file = try TestDatabase()
        try file.open().close()
        let plan = try file.rows("EXPLAIN QUERY PLAN SELECT * FROM payments WHERE \(condition)")
            .map { $0["detail"] as String }
        #expect(plan.count == 1 && plan[0].hasPrefix("SEARCH payments USING INDEX"), "\(condition): \(plan)")
    }

    private static func insert(_ payment: Payment, _ stores: StoreFixture) async throws {
        let store = SQLPaymentStore(stores.database)
        try await stores.unitOfWork.run { try store.insert(payment, in: $0) }
    }
}
