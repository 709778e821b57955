import Accounts
import GRDB
import Kernel
import StoreContract
import Testing
import Wallet

@testable import Storage

/// Payments in SQLite.
struct SQLitePaymentTests {
    private let file: TestDatabase
    private let database: SQLiteDatabase
    private let unitOfWork: SQLiteUnitOfWork
    private let store: SQLPaymentStore
    private let account = Sample.accountID(1)

    init() async throws {
        file = try TestDatabase()
        database = try file.open()
        unitOfWork = SQLiteUnitOfWork(database)
        store = SQLPaymentStore(database)
        let accounts = SQLAccountStore(database)
        try await unitOfWork.run { transaction in
            for number in [1, 2] as [UInt64] { try accounts.insert(Sample.account(number), in: transaction) }
        }
    }

    @Test(arguments: PaymentStoreContract.allCases)
    func `SQLite keeps payments by the contract`(_ promise: PaymentStoreContract) async throws {
        try await promise.check(
            over: store,
            purge: SQLExpiringRows.payments.purge,
            unitOfWork,
            account: account,
            other: Sample.accountID(2)
        )
    }

    @Test func `payments go with their account, and not with their card`() async throws {
        let payment = PaymentSample.payment(1, of: account)
        try await insert(payment)
        let (account, card) = (account, payment.contents.card)
        _ = try await unitOfWork.run { transaction in
            try transaction.connection().change("DELETE FROM wallet_cards WHERE id = ?", [card.column])
        }
        #expect(try await store.find(payment.id) == payment)
        _ = try await unitOfWork.run { transaction in
            try transaction.connection().change("DELETE FROM accounts WHERE id = ?", [account.column])
        }
        #expect(try await store.find(payment.id) == nil)
    }

    @Test(arguments: [
        "amount = '0.00'", "amount = '1e3'", "amount = '007'", "currency = 'eur'", "merchant = char(8238) || 'x'",
        "merchant_id = 'a b'", "card = 'x'", "id = 'x'", "session = ''",
    ])
    func `a row that no version of this program wrote is corrupt, never half read`(_ change: String) async throws {
        try await insert(PaymentSample.payment(1, of: account))
        _ = try await unitOfWork.run { transaction in
            try transaction.connection().change("UPDATE payments SET \(change)", [])
        }
        let error = await #expect(throws: StoreError.self) {
            _ = try await store.list(of: account, before: nil, limit: 9)
        }
        guard case .corrupt? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `attack: a second payment with the same card token is refused as a conflict`() async throws {
        let payments = (1...2 as ClosedRange<UInt64>).map { PaymentSample.payment($0, of: account) }
        for payment in payments { try await insert(payment) }
        let confirmed = PaymentState.confirmed(PaymentSample.confirmation(1))
        let store = store
        let isFirst = try await unitOfWork.run { try store.update(payments[0].like(confirmed), over: 1, in: $0) }
        #expect(isFirst)
        let error = await #expect(throws: StoreError.self) {
            _ = try await unitOfWork.run { try store.update(payments[1].like(confirmed), over: 1, in: $0) }
        }
        guard case .conflict? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `lists, limits and keys are looked up by an index`() async throws {
        for condition in [
            "account = 'a' ORDER BY created_at DESC, id DESC LIMIT 9", "account = 'a' AND created_at >= 5",
            "account = 'a' AND idempotency_key = zeroblob(32)", "card_token = zeroblob(32)",
            "created_at < 5 ORDER BY created_at LIMIT 9",
        ] {
            let plan = try file.rows("EXPLAIN QUERY PLAN SELECT * FROM payments WHERE \(condition)")
                .map { $0["detail"] as String }
            #expect(plan.count == 1 && plan[0].hasPrefix("SEARCH payments USING INDEX"), "\(condition): \(plan)")
        }
    }

    private func insert(_ payment: Payment) async throws {
        try await unitOfWork.run { [store] transaction in try store.insert(payment, in: transaction) }
    }
}
