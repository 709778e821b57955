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
    /// The `session` that confirmed gets the receipt, and the card token while it is valid; `nil` gets neither.
    func view(_ payment: Payment, for session: SessionID?) throws -> PaymentView {
        var view = PaymentView(payment)
        switch payment.state {
        case .pending:
            view.expiresIn = seconds(from: payment.createdAt, until: payment.expiresAt)
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
            amount: payment.money.value,
            currency: payment.money.currency,
            merchant: PaymentMerchant(name: payment.merchant.name, id: payment.merchant.id),
            cardReference: redeemed.cardReference,
            lastFour: payment.label.lastFour,
            cardType: payment.label.cardType,
            receipt: try receipt(of: payment, redeemed.confirmation)
        )
    }

    /// Signs the receipt, with the same claims each time.
    private func receipt(of payment: Payment, _ confirmation: Confirmation) throws -> String {
        let claims = ReceiptClaims(
            account: payment.account,
            audience: audience(of: payment),
            clientID: payment.client,
            paymentID: payment.id.description,
            amount: ApprovalClaims.Amount(value: payment.money.value, currency: payment.money.currency),
            payee: payment.merchant.name,
            merchantID: payment.merchant.id,
            card: ReceiptClaims.Card(lastFour: payment.label.lastFour, cardType: payment.label.cardType),
            method: confirmation.method.rawValue,
            paymentHash: payment.hash,
            confirmedAt: confirmation.at
        )
        return try issuer.sign(receipt: claims).expose()
    }

    /// Returns the audience of the client, which is its id after it left the config.
    private func audience(of payment: Payment) -> String {
        (try? clients.client(named: payment.client, surface: nil))?.audience ?? payment.client
    }

    /// Returns the seconds that are left, never more than the whole time: the clock may have been ahead at the start.
    private func seconds(from start: Instant, until end: Instant) -> Int {
        Int(max(0, (end - max(start, environment.now())).wholeMilliseconds / 1000))
    }
}

extension PaymentView {
    /// Creates the view without the members that depend on the state.
    fileprivate init(_ payment: Payment) {
        self.init(
            paymentId: payment.id.description,
            status: PaymentStatusView(payment.state.status),
            amount: payment.money.value,
            currency: payment.money.currency,
            merchant: PaymentMerchant(name: payment.merchant.name, id: payment.merchant.id),
            card: PaymentCard(
                id: payment.card.description,
                lastFour: payment.label.lastFour,
                cardType: payment.label.cardType,
                bankName: payment.label.bankName
            ),
            createdAt: payment.createdAt.internetDate,
            expiresAt: payment.expiresAt.internetDate
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
