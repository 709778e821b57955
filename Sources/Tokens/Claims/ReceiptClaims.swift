package import Kernel
internal import TokenReading

/// The claims of a receipt: a person has confirmed exactly this payment, with this method.
///
/// The token is evidence for its holder and grants no access. It has its own `typ` and `type`, and never expires. Times
/// are whole seconds, as in ``AccessClaims``. A payment has one receipt: if it is signed again, it has the same claims.
package struct ReceiptClaims: Sendable, Hashable {
    /// `sub`.
    package let account: AccountID
    /// `aud`: the audience of the client.
    package let audience: String
    /// `client_id`: the client that began the payment.
    package let clientID: String
    /// `jti`: the id of the payment.
    package let paymentID: String
    /// `amount`.
    package let amount: ApprovalClaims.Amount
    /// `payee`: the merchant's name that the person was shown.
    package let payee: String
    package let merchantID: String?
    package let card: Card
    /// `method`: `device-key`, `passkey` or `face`.
    package let method: String
    /// `payment_hash`: the hash of the payment that was confirmed.
    package let paymentHash: Digest256
    /// The time of the confirmation: `confirmed_at` and `iat`.
    package let confirmedAt: Instant

    /// `card.last_four` and `card.card_type`.
    package struct Card: Sendable, Hashable {
        package let lastFour: String
        package let cardType: String

        package init(lastFour: String, cardType: String) {
            self.lastFour = lastFour
            self.cardType = cardType
        }
    }

    package init(
        account: AccountID,
        audience: String,
        clientID: String,
        paymentID: String,
        amount: ApprovalClaims.Amount,
        payee: String,
        merchantID: String?,
        card: Card,
        method: String,
        paymentHash: Digest256,
        confirmedAt: Instant
    ) {
        self.account = account
        self.audience = audience
        self.clientID = clientID
        self.paymentID = paymentID
        self.amount = amount
        self.payee = payee
        self.merchantID = merchantID
        self.card = card
        self.method = method
        self.paymentHash = paymentHash
        self.confirmedAt = confirmedAt.wholeSecond
    }

    package var issuedAt: Instant { confirmedAt }
}

extension ReceiptClaims {
    /// The value of the `type` claim.
    static let type = "receipt"

    /// Returns the claims as JSON, always in this order.
    func json(issuer: String) -> [UInt8] {
        var json = JSONWriter()
        json.object { object in
            object.member("iss", string: issuer)
            object.member("sub", string: account.description)
            object.member("aud", string: audience)
            object.member("client_id", string: clientID)
            object.member("iat", integer: issuedAt.seconds)
            object.member("jti", string: paymentID)
            object.member("type", string: Self.type)
            object.nested("amount") { nested in
                nested.member("value", string: amount.value)
                nested.member("currency", string: amount.currency)
            }
            object.member("payee", string: payee)
            if let merchantID { object.member("merchant_id", string: merchantID) }
            object.nested("card") { nested in
                nested.member("last_four", string: card.lastFour)
                nested.member("card_type", string: card.cardType)
            }
            object.member("method", string: method)
            object.member("payment_hash", string: Base64URL.encode(paymentHash.bytes))
            object.member("confirmed_at", integer: confirmedAt.seconds)
        }
        return json.bytes
    }

    init(_ claims: ClaimReader) throws(TokenError) {
        guard let amount = try claims.optionalObject("amount"), let card = try claims.optionalObject("card"),
            let hash = Base64URL.decode(try claims.string("payment_hash")).flatMap({ Digest256($0) })
        else { throw .claims }
        self.init(
            account: try claims.id("sub"),
            audience: try claims.string("aud"),
            clientID: try claims.string("client_id"),
            paymentID: try claims.string("jti"),
            amount: .init(value: try amount.string("value"), currency: try amount.string("currency")),
            payee: try claims.string("payee"),
            merchantID: try claims.optionalString("merchant_id"),
            card: Card(lastFour: try card.string("last_four"), cardType: try card.string("card_type")),
            method: try claims.string("method"),
            paymentHash: hash,
            confirmedAt: try claims.instant("confirmed_at")
        )
        guard try claims.instant("iat") == issuedAt else { throw .claims }
    }
}
