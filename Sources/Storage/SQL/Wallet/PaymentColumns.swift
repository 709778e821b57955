import Kernel
import Wallet

/// The columns of a payment, in the order of their values: first those that are fixed, then those that change.
enum PaymentColumns: RowColumns {
    static let table: StaticString = "payments"
    static let selected = """
        id, account, session, client, card, last_four, card_type, bank_name, amount, currency, merchant, merchant_id,
        nonce, created_at, expires_at, idempotency_key, idempotency_content, wrong_proofs, version, state, cancelled_at,
        confirmed_at, confirmed_in, method, card_token, card_token_expires_at, redeemed_at
        """

    static func values(of payment: Payment) -> [ColumnValue] {
        let label = payment.contents.label
        return [
            payment.id.column, payment.payer.account.column, payment.payer.session.column, payment.payer.client.column,
            payment.contents.card.column, label.lastFour.column, label.cardType.column, label.bankName.column,
            payment.contents.money.value.column, payment.contents.money.currency.column,
            payment.contents.merchant.name.column,
            payment.contents.merchant.id.column(\.column), payment.contents.nonce.column,
            payment.validity.createdAt.column,
            payment.validity.expiresAt.column, payment.idempotency.column(\.key.column),
            payment.idempotency.column(\.content.column),
        ] + changing(of: payment)
    }

    /// Returns the values of the columns that change with a payment's state.
    static func changing(of payment: Payment) -> [ColumnValue] {
        let counts = [payment.wrongProofs.column, payment.version.column, payment.state.status.rawValue.column]
        switch payment.state {
        case .pending, .expired: return counts + [ColumnValue](repeating: .null, count: 7)
        case .cancelled(let at): return counts + [at.column] + [ColumnValue](repeating: .null, count: 6)
        case .confirmed(let confirmation):
            return counts + [
                .null, confirmation.at.column, confirmation.session.column, confirmation.method.rawValue.column,
                confirmation.tokenDigest.column, confirmation.tokenExpiresAt.column,
                confirmation.redeemedAt.column(\.column),
            ]
        }
    }

    static func read(_ columns: inout ColumnReader) throws -> Payment {
        let money = Money(value: try columns.text("amount"), currency: try columns.text("currency"))
        let merchant = Merchant(name: try columns.text("merchant"), id: try columns.optionalText("merchant_id"))
        guard let money, let merchant else {
            throw StoreError.corrupt(cause: "a payment's amount or merchant can't be read")
        }
        return Payment(
            id: try columns.id("id"),
            payer: Payment.Payer(
                account: try columns.id("account"),
                session: try columns.id("session"),
                client: try columns.text("client")
            ),
            contents: Payment.Contents(
                card: try columns.id("card"),
                label: CardLabel(
                    lastFour: try columns.text("last_four"),
                    cardType: try columns.text("card_type"),
                    bankName: try columns.text("bank_name")
                ),
                money: money,
                merchant: merchant,
                nonce: try columns.digest("nonce")
            ),
            validity: ValidityPeriod(
                createdAt: try columns.instant("created_at"),
                expiresAt: try columns.instant("expires_at")
            ),
            idempotency: try idempotency(&columns),
            state: try state(&columns),
            wrongProofs: try columns.count("wrong_proofs"),
            version: try columns.integer("version")
        )
    }

    private static func idempotency(_ columns: inout ColumnReader) throws -> PaymentIdempotency? {
        guard let key = try columns.optionalDigest("idempotency_key") else { return nil }
        return PaymentIdempotency(key: key, content: try columns.digest("idempotency_content"))
    }

    private static func state(_ columns: inout ColumnReader) throws -> PaymentState {
        switch try columns.value("state", PaymentStatus.self) {
        case .pending: .pending
        case .expired: .expired
        case .cancelled: .cancelled(at: try columns.instant("cancelled_at"))
        case .confirmed:
            .confirmed(
                Confirmation(
                    at: try columns.instant("confirmed_at"),
                    session: try columns.id("confirmed_in"),
                    method: try columns.value("method"),
                    tokenDigest: try columns.digest("card_token"),
                    tokenExpiresAt: try columns.instant("card_token_expires_at"),
                    redeemedAt: try columns.optionalInstant("redeemed_at")
                )
            )
        }
    }
}
