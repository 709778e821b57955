import Kernel
import Operations
import Tokens
import Wallet

/// Encodes payments for answers.
struct PaymentReply: Sendable {
    let service: PaymentService
    let issuer: TokenIssuer
    let clients: ClientDirectory
    let environment: Environment

    /// Returns the payment in its current state.
    ///
    /// `session`: The session that confirmed the payment gets the receipt, and the card token while it is valid.
    func view(_ payment: Payment, for session: SessionID?) throws -> PaymentView {
        var view = PaymentView(payment)
        switch payment.state {
        case .pending:
            view.expiresIn = seconds(from: payment.validity.createdAt, until: payment.validity.expiresAt)
            view.challenge = payment.challenge
            view.textToSign = payment.textToSign
        case .confirmed(let confirmation):
            view.method = confirmation.method.rawValue
            view.confirmedAt = confirmation.at.internetDate
            guard let session, confirmation.session == session else { return view }
            view.receipt = try receipt(of: payment, confirmation)
            guard let token = service.cardToken(of: payment, for: session) else { return view }
            view.cardToken = token.expose()
            view.cardTokenExpiresIn = seconds(from: confirmation.at, until: confirmation.tokenExpiresAt)
        case .cancelled, .expired: break
        }
        return view
    }

    func confirmed(_ confirmed: ConfirmedPayment) throws -> ConfirmPaymentResponse {
        ConfirmPaymentResponse(
            paymentId: confirmed.payment.id.description,
            cardToken: confirmed.cardToken.expose(),
            cardTokenExpiresIn: Int(confirmed.cardTokenExpiresIn.wholeMilliseconds / 1000),
            receipt: try receipt(of: confirmed.payment, confirmed.confirmation)
        )
    }

    func redeemed(_ redeemed: RedeemedPayment) throws -> RedeemCardTokenResponse {
        let payment = redeemed.payment
        return RedeemCardTokenResponse(
            paymentId: payment.id.description,
            amount: payment.contents.money.value,
            currency: payment.contents.money.currency,
            merchant: PaymentMerchant(name: payment.contents.merchant.name, id: payment.contents.merchant.id),
            cardReference: redeemed.cardReference,
            lastFour: payment.contents.label.lastFour,
            cardType: payment.contents.label.cardType,
            receipt: try receipt(of: payment, redeemed.confirmation)
        )
    }

    /// Signs the receipt, which has the same claims each time.
    private func receipt(of payment: Payment, _ confirmation: Confirmation) throws -> String {
        let claims = ReceiptClaims(
            account: payment.payer.account,
            audience: audience(of: payment),
            clientID: payment.payer.client,
            paymentID: payment.id.description,
            amount: ApprovalClaims.Amount(
                value: payment.contents.money.value,
                currency: payment.contents.money.currency
            ),
            payee: payment.contents.merchant.name,
            merchantID: payment.contents.merchant.id,
            card: ReceiptClaims.Card(
                lastFour: payment.contents.label.lastFour,
                cardType: payment.contents.label.cardType
            ),
            method: confirmation.method.rawValue,
            paymentHash: payment.hash,
            confirmedAt: confirmation.at
        )
        return try issuer.sign(receipt: claims).expose()
    }

    /// Returns the audience of the payment's client, or the client's id if it is no longer in the config.
    private func audience(of payment: Payment) -> String {
        (try? clients.client(named: payment.payer.client, surface: nil))?.audience ?? payment.payer.client
    }

    /// Returns the seconds that are left.
    ///
    /// They are never more than the whole period, even if the clock was ahead at the start.
    private func seconds(from start: Instant, until end: Instant) -> Int {
        Int(max(0, (end - max(start, environment.now())).wholeMilliseconds / 1000))
    }
}

extension PaymentView {
    /// Creates the view without the members that depend on the payment's state.
    fileprivate init(_ payment: Payment) {
        self.init(
            paymentId: payment.id.description,
            status: PaymentStatusView(payment.state.status),
            amount: payment.contents.money.value,
            currency: payment.contents.money.currency,
            merchant: PaymentMerchant(name: payment.contents.merchant.name, id: payment.contents.merchant.id),
            card: PaymentCard(
                id: payment.contents.card.description,
                lastFour: payment.contents.label.lastFour,
                cardType: payment.contents.label.cardType,
                bankName: payment.contents.label.bankName
            ),
            createdAt: payment.validity.createdAt.internetDate,
            expiresAt: payment.validity.expiresAt.internetDate
        )
    }
}

extension PaymentStatusView {
    fileprivate init(_ status: PaymentStatus) {
        self =
            switch status {
            case .pending: .pending
            case .confirmed: .confirmed
            case .cancelled: .cancelled
            case .expired: .expired
            }
    }
}
