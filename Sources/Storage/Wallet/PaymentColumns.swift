import Kernel
import Wallet

/// The columns of a payment, in one order: what is fixed, then what changes.
enum PaymentColumns {
    static let selected = """
        id, account, session, client, card, last_four, card_type, bank_name, amount, currency, merchant, merchant_id,
        nonce, created_at, expires_at, idempotency_key, idempotency_content, wrong_proofs, version, state, cancelled_at,
        confirmed_at, confirmed_in, method, card_token, card_token_expires_at, redeemed_at
        """

    static func values(of payment: Payment) -> [ColumnValue] {
        let label = payment.label
        return [
            payment.id.column, payment.account.column, payment.session.column, payment.client.column,
            payment.card.column, label.lastFour.column, label.cardType.column, label.bankName.column,
            payment.money.value.column, payment.money.currency.column, payment.merchant.name.column,
            payment.merchant.id.column(\.column), payment.nonce.column, payment.createdAt.column,
            payment.expiresAt.column, payment.idempotency.column(\.key.column),
            payment.idempotency.column(\.content.column),
        ] + changing(of: payment)
    }

    /// What an event of the machine changes.
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
        let id: PaymentID = try columns.id()
        let account: AccountID = try columns.id()
        let session: SessionID = try columns.id()
        let client = try columns.text()
        let card: CardID = try columns.id()
        let label = CardLabel(
            lastFour: try columns.text(),
            cardType: try columns.text(),
            bankName: try columns.text()
        )
        let money = Money(value: try columns.text(), currency: try columns.text())
        let merchant = Merchant(name: try columns.text(), id: columns.optionalText())
        guard let money, let merchant else {
            throw StoreFailure.corrupt(cause: "a payment's amount or merchant can't be read")
        }
        let nonce = try columns.digest()
        let (createdAt, expiresAt) = (try columns.instant(), try columns.instant())
        let idempotency = try idempotency(&columns)
        let (wrongProofs, version) = (Int(try columns.integer()), try columns.integer())
        return Payment(
            id: id,
            account: account,
            session: session,
            client: client,
            card: card,
            label: label,
            money: money,
            merchant: merchant,
            nonce: nonce,
            createdAt: createdAt,
            expiresAt: expiresAt,
            idempotency: idempotency,
            state: try state(&columns),
            wrongProofs: wrongProofs,
            version: version
        )
    }

    private static func idempotency(_ columns: inout ColumnReader) throws -> PaymentIdempotency? {
        guard let key = try columns.optionalDigest() else {
            columns.skip(1)
            return nil
        }
        return PaymentIdempotency(key: key, content: try columns.digest())
    }

    private static func state(_ columns: inout ColumnReader) throws -> PaymentState {
        switch try columns.value(PaymentStatus.self) {
        case .pending: return .pending
        case .expired: return .expired
        case .cancelled: return .cancelled(at: try columns.instant())
        case .confirmed:
            columns.skip(1)
            return .confirmed(
                Confirmation(
                    at: try columns.instant(),
                    session: try columns.id(),
                    method: try columns.value(),
                    tokenDigest: try columns.digest(),
                    tokenExpiresAt: try columns.instant(),
                    redeemedAt: columns.optionalInstant()
                )
            )
        }
    }
}
