package import Kernel
package import Wallet

/// The payments of the in-memory store.
package struct MemoryPaymentStore: PaymentStore {
    let connection: MemoryConnection

    package func insert(_ payment: Payment, in transaction: borrowing Transaction) throws {
        let draft = try transaction.draft()
        let isTaken = draft.tables.payments.values.contains { other in
            other.id == payment.id
                || (payment.idempotency != nil && other.payer.account == payment.payer.account
                    && other.idempotency?.key == payment.idempotency?.key)
        }
        guard !isTaken else { throw StoreError.conflict(cause: "there is such a payment") }
        draft.tables.payments[payment.id] = payment
    }

    package func find(_ id: PaymentID) async throws -> Payment? {
        try await connection.read { $0.payments[id] }
    }

    package func find(_ id: PaymentID, in transaction: borrowing Transaction) throws -> Payment? {
        try transaction.draft().tables.payments[id]
    }

    package func find(key: Digest256, of account: AccountID, in transaction: borrowing Transaction) throws -> Payment? {
        try transaction.draft().tables.payments.values.first {
            $0.payer.account == account && $0.idempotency?.key == key
        }
    }

    package func find(cardToken: Digest256, in transaction: borrowing Transaction) throws -> Payment? {
        try transaction.draft().tables.payments.values.first { payment in
            guard case .confirmed(let confirmation) = payment.state else { return false }
            return confirmation.tokenDigest == cardToken
        }
    }

    package func list(of account: AccountID, before: PaymentID?, limit: Int) async throws -> [Payment] {
        try await connection.read { tables in
            let newest = tables.payments.values.filter { $0.payer.account == account }.sorted(by: Self.isNewer)
            guard let before else { return Array(newest.prefix(limit)) }
            guard let index = newest.firstIndex(where: { $0.id == before }) else { return [] }
            return Array(newest[(index + 1)...].prefix(limit))
        }
    }

    package func load(
        of account: AccountID,
        at now: Instant,
        since: Instant,
        in transaction: borrowing Transaction
    ) throws -> PaymentLoad {
        let recent = try transaction.draft().tables.payments.values
            .filter { $0.payer.account == account && $0.validity.createdAt >= since }
        let open = recent.filter { $0.state == .pending && $0.validity.expiresAt > now }
        return PaymentLoad(open: open.count, firstExpiry: open.map(\.validity.expiresAt).min(), recent: recent.count)
    }

    package func update(_ payment: Payment, over version: Int64, in transaction: borrowing Transaction) throws -> Bool {
        let draft = try transaction.draft()
        guard let held = draft.tables.payments[payment.id], held.version == version else { return false }
        draft.tables.payments[payment.id] = Payment(
            id: held.id,
            payer: held.payer,
            contents: held.contents,
            validity: held.validity,
            idempotency: held.idempotency,
            state: payment.state,
            wrongProofs: payment.wrongProofs,
            version: payment.version
        )
        return true
    }

    private static func isNewer(_ left: Payment, _ right: Payment) -> Bool {
        left.validity.createdAt == right.validity.createdAt
            ? left.id.description > right.id.description : left.validity.createdAt > right.validity.createdAt
    }
}
