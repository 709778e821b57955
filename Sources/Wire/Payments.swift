/// The body of `POST /api/merchant/payment/initiate`.
public struct InitiatePaymentRequest: Codable, Sendable, Equatable {
    /// The card that pays; without it the wallet's default card.
    public var cardId: String?
    /// A decimal number as text, `12.50`: it is shown and signed as it is written here.
    public var amount: String
    /// Three capital letters (ISO 4217).
    public var currency: String
    /// Who is paid: this or ``merchantName``.
    public var merchant: PaymentMerchant?
    /// Who is paid, by name alone.
    public var merchantName: String?
    /// Makes a repetition the same payment; the header `Idempotency-Key` says it as well.
    public var idempotencyKey: String?

    /// An order to pay that much to that merchant.
    public init(
        amount: String,
        currency: String,
        merchant: PaymentMerchant,
        cardId: String? = nil,
        idempotencyKey: String? = nil
    ) {
        self.amount = amount
        self.currency = currency
        self.merchant = merchant
        self.cardId = cardId
        self.idempotencyKey = idempotencyKey
    }
}

/// Who is paid.
public struct PaymentMerchant: Codable, Sendable, Equatable {
    /// The name that the person is shown: one line, at most 100 characters.
    public var name: String
    /// What the merchant is called where payments are settled.
    public var id: String?

    /// A merchant of that name.
    public init(name: String, id: String? = nil) {
        self.name = name
        self.id = id
    }
}

/// The card of a payment.
public struct PaymentCard: Codable, Sendable, Equatable {
    /// The card's id at the wallet.
    public var id: String
    /// The number's last four digits.
    public var lastFour: String
    /// The scheme: `VISA`.
    public var cardType: String
    /// The bank's name.
    public var bankName: String

    /// A card with those members.
    public init(id: String, lastFour: String, cardType: String, bankName: String) {
        self.id = id
        self.lastFour = lastFour
        self.cardType = cardType
        self.bankName = bankName
    }
}

/// Where a payment stands.
public enum PaymentWord: String, Codable, Sendable, CaseIterable {
    /// It waits for a confirmation.
    case pending
    /// Somebody has confirmed it.
    case confirmed
    /// It was given up.
    case cancelled
    /// Nobody has confirmed it in time.
    case expired
}

/// A payment as its account sees it.
public struct PaymentView: Codable, Sendable, Equatable {
    /// A UUID.
    public var paymentId: String
    /// Where it stands.
    public var status: PaymentWord
    /// As it was ordered.
    public var amount: String
    /// As it was ordered.
    public var currency: String
    /// Who is paid.
    public var merchant: PaymentMerchant
    /// What pays, as it was when the payment began.
    public var card: PaymentCard
    /// When it was ordered: UTC, `2026-01-31T09:05:00Z`.
    public var createdAt: String
    /// Until when it can be confirmed.
    public var expiresAt: String
    /// Seconds until then; while it is pending.
    public var expiresIn: Int?
    /// The digest of all that is paid, base64url; while it is pending.
    public var challenge: String?
    /// What the device's key signs, in UTF-8; while it is pending.
    public var textToSign: String?
    /// How this account can confirm it: `device-key`, `passkey`, `face`; in the answer to a start.
    public var methods: [String]?
    /// How it was confirmed.
    public var method: String?
    /// When it was confirmed.
    public var confirmedAt: String?
    /// A signed statement of the payment; for the session that has confirmed it.
    public var receipt: String?
    /// For the same session, as long as nobody has redeemed it and it has not expired.
    public var cardToken: String?
    /// Seconds until that expires.
    public var cardTokenExpiresIn: Int?

    /// A payment without anything that hangs on where it stands.
    public init(
        paymentId: String,
        status: PaymentWord,
        amount: String,
        currency: String,
        merchant: PaymentMerchant,
        card: PaymentCard,
        createdAt: String,
        expiresAt: String
    ) {
        self.paymentId = paymentId
        self.status = status
        self.amount = amount
        self.currency = currency
        self.merchant = merchant
        self.card = card
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}

/// The answer to `GET /api/mobile/payments`.
public struct PaymentsResponse: Codable, Sendable, Equatable {
    /// The newest first.
    public var payments: [PaymentView]

    /// An answer with those payments.
    public init(payments: [PaymentView]) { self.payments = payments }
}

/// The body of `POST /api/merchant/payment/confirm`, but for `passkey`: what the browser or the app returned for the
/// options, as it is (WebAuthn L3 §5.1.4, AuthenticationResponseJSON).
public struct ConfirmPaymentRequest: Codable, Sendable, Equatable {
    /// Which payment.
    public var paymentId: String?
    /// The device key's signature over `textToSign`, base64: ECDSA in DER or as 64 bytes, RSA by PKCS #1 v1.5 or PSS.
    public var signature: String?
    /// Beside a signature: the payment's challenge, as it was handed out.
    public var challenge: String?
    /// Beside a signature: the id that the app gave its device, where the app sends it.
    public var deviceId: String?
    /// The token of an approval of this payment.
    public var approvalToken: String?
    /// What the app has shown: refused where it is not what the payment says.
    public var amount: String?
    /// Likewise.
    public var currency: String?
    /// Likewise.
    public var merchantName: String?

    /// A confirmation of that payment.
    public init(paymentId: String) { self.paymentId = paymentId }
}

/// The answer to a confirmation.
public struct ConfirmPaymentResponse: Codable, Sendable, Equatable {
    /// Which payment.
    public var paymentId: String
    /// Always `confirmed`.
    public var status: PaymentWord
    /// Stands for the card in this one payment; good once.
    public var cardToken: String
    /// Seconds until it expires.
    public var cardTokenExpiresIn: Int
    /// A JWT with the header `typ` `vestibule-receipt+jwt`, which states the payment.
    public var receipt: String

    /// An answer with that token and that receipt.
    public init(paymentId: String, cardToken: String, cardTokenExpiresIn: Int, receipt: String) {
        self.paymentId = paymentId
        status = .confirmed
        self.cardToken = cardToken
        self.cardTokenExpiresIn = cardTokenExpiresIn
        self.receipt = receipt
    }
}

/// The body of `POST /api/mobile/payment/{paymentId}/approve` where it brings no proof.
public struct ApprovePaymentRequest: Codable, Sendable, Equatable {
    /// `face`, `passkey` or `device-key`.
    public var method: String?

    /// A request for that method.
    public init(method: String?) { self.method = method }
}

/// What the device is to sign: the answer to `device-key`.
public struct PaymentChallengeResponse: Codable, Sendable, Equatable {
    /// The digest of all that is paid, base64url.
    public var challenge: String
    /// What the key signs, in UTF-8.
    public var textToSign: String

    /// An answer with those two.
    public init(challenge: String, textToSign: String) {
        self.challenge = challenge
        self.textToSign = textToSign
    }
}

/// The answer to a cancellation.
public struct CancelPaymentResponse: Codable, Sendable, Equatable {
    /// Always true.
    public var success: Bool
    /// Always `cancelled`.
    public var status: PaymentWord

    /// The one answer.
    public init() {
        success = true
        status = .cancelled
    }
}

/// The body of `POST /api/merchant/payment/redeem`.
public struct RedeemCardTokenRequest: Codable, Sendable, Equatable {
    /// What the confirmation answered.
    public var cardToken: String

    /// A request with that token.
    public init(cardToken: String) { self.cardToken = cardToken }
}

/// What a card token stood for.
public struct RedeemCardTokenResponse: Codable, Sendable, Equatable {
    /// Which payment.
    public var paymentId: String
    /// How much.
    public var amount: String
    /// Of which currency.
    public var currency: String
    /// To whom.
    public var merchant: PaymentMerchant
    /// The card as its bank knows it.
    public var cardReference: String
    /// The number's last four digits.
    public var lastFour: String
    /// The scheme: `VISA`.
    public var cardType: String
    /// The payment's receipt.
    public var receipt: String

    /// An answer with those members.
    public init(
        paymentId: String,
        amount: String,
        currency: String,
        merchant: PaymentMerchant,
        cardReference: String,
        lastFour: String,
        cardType: String,
        receipt: String
    ) {
        self.paymentId = paymentId
        self.amount = amount
        self.currency = currency
        self.merchant = merchant
        self.cardReference = cardReference
        self.lastFour = lastFour
        self.cardType = cardType
        self.receipt = receipt
    }
}
