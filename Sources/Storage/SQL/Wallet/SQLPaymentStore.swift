package import Kernel
package import Wallet

/// Payments.
package struct SQLPaymentStore: PaymentStore {
    private let database: any SQLDatabase

    package init(_ database: any SQLDatabase) { self.database = database }

    package func insert(_ payment: Payment, in transaction: borrowing Transaction) throws {
        try transaction.connection().change(
            """
            INSERT INTO payments (\(PaymentColumns.selected))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            PaymentColumns.values(of: payment)
        )
    }

    package func find(_ id: PaymentID) async throws -> Payment? { try await database.reading { try find(id, in: $0) } }

    package func find(_ id: PaymentID, in transaction: borrowing Transaction) throws -> Payment? {
        try transaction.connection().row(PaymentColumns.self, where: "id = ?", [id.column])
    }

    package func find(key: Digest256, of account: AccountID, in transaction: borrowing Transaction) throws -> Payment? {
        try transaction.connection().row(
            PaymentColumns.self,
            where: "account = ? AND idempotency_key = ?",
            [account.column, key.column]
        )
    }

    package func find(cardToken: Digest256, in transaction: borrowing Transaction) throws -> Payment? {
        try transaction.connection().row(PaymentColumns.self, where: "card_token = ?", [cardToken.column])
    }

    package func list(of account: AccountID, before: PaymentID?, limit: Int) async throws -> [Payment] {
        try await database.read { reader in
            guard let before else {
                return try reader.rows(
                    PaymentColumns.self,
                    where: "account = ? ORDER BY created_at DESC, id DESC LIMIT ?",
                    [account.column, limit.column]
                )
            }
            return try reader.rows(
                PaymentColumns.self,
                where: """
                    account = ?1 AND (created_at, id) < (SELECT created_at, id FROM payments WHERE id = ?2 AND account = ?1)
                    ORDER BY created_at DESC, id DESC LIMIT ?3
                    """,
                [account.column, before.column, limit.column]
            )
        }
    }

    package func load(
        of account: AccountID,
        at now: Instant,
        since: Instant,
        in transaction: borrowing Transaction
    ) throws -> PaymentLoad {
        let load = try transaction.connection().first(
            """
            SELECT COUNT(*) AS recent, COUNT(expiry) AS open, MIN(expiry) AS first_expiry FROM (
                SELECT CASE WHEN state = 'pending' AND expires_at > ? THEN expires_at END AS expiry
                FROM payments WHERE account = ? AND created_at >= ?
            ) AS latest
            """,
            [now.column, account.column, since.column]
        ) { columns in
            PaymentLoad(
                open: try columns.count("open"),
                firstExpiry: try columns.optionalInstant("first_expiry"),
                recent: try columns.count("recent")
            )
        }
        return load ?? PaymentLoad(open: 0, firstExpiry: nil, recent: 0)
    }

    package func update(_ payment: Payment, over version: Int64, in transaction: borrowing Transaction) throws -> Bool {
        try transaction.connection().change(
            """
            UPDATE payments SET wrong_proofs = ?, version = ?, state = ?, cancelled_at = ?, confirmed_at = ?,
                confirmed_in = ?, method = ?, card_token = ?, card_token_expires_at = ?, redeemed_at = ?
            WHERE id = ? AND version = ?
            """,
            PaymentColumns.changing(of: payment) + [payment.id.column, version.column]
        ) == 1
    }
}
