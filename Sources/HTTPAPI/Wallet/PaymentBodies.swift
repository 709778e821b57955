/// The body of `POST /api/merchant/payment/initiate`.
struct InitiatePaymentRequest: Codable, Sendable, Equatable {
    /// The card that pays; by default the wallet's default card.
    var cardId: String?
    /// A decimal number as text, `12.50`, which is shown and signed as written.
    var amount: String
    /// Three capital letters (ISO 4217).
    var currency: String
    /// The merchant, unless ``merchantName`` names it.
    var merchant: PaymentMerchant?
    var merchantName: String?
    /// A key that identifies repetitions of this request, like the header `Idempotency-Key`.
    var idempotencyKey: String?
}

struct PaymentMerchant: Codable, Sendable, Equatable {
    /// The name that the person is shown: one line, at most 100 characters.
    var name: String
    /// The merchant's id in the settlement of payments.
    var id: String?
}

/// The card of a payment.
struct PaymentCard: Codable, Sendable, Equatable {
    /// The card's id at the wallet.
    var id: String
    var lastFour: String
    /// The scheme: `VISA`.
    var cardType: String
    var bankName: String
}

/// The status of a payment.
enum PaymentStatusView: String, Codable, Sendable, CaseIterable {
    case pending
    case confirmed
    case cancelled
    case expired
}

/// A payment as its account's owner sees it.
struct PaymentView: Codable, Sendable, Equatable {
    /// A UUID.
    var paymentId: String
    var status: PaymentStatusView
    /// The amount as it was requested.
    var amount: String
    /// The currency as it was requested.
    var currency: String
    var merchant: PaymentMerchant
    /// The card as it was when the payment began.
    var card: PaymentCard
    /// UTC, `2026-01-31T09:05:00Z`.
    var createdAt: String
    /// The time until which the payment can be confirmed.
    var expiresAt: String
    /// Seconds until ``expiresAt``, while the payment is pending.
    var expiresIn: Int?
    /// The digest of the payment, base64url, while it is pending.
    var challenge: String?
    /// The text that the device's key signs, in UTF-8, while the payment is pending.
    var textToSign: String?
    /// The account's ways of confirmation (`device-key`, `passkey`, `face`), only in the answer to a start.
    var methods: [String]?
    /// The way in which the payment was confirmed, as in ``methods``.
    var method: String?
    var confirmedAt: String?
    /// A signed statement about the payment, only for the session that confirmed it.
    var receipt: String?
    /// Only for that session, until the token is redeemed or expires.
    var cardToken: String?
    /// Seconds until ``cardToken`` expires.
    var cardTokenExpiresIn: Int?
}

/// The answer to `GET /api/mobile/payments`.
struct PaymentsResponse: Codable, Sendable, Equatable {
    /// The newest first.
    var payments: [PaymentView]
}

/// The body of `POST /api/merchant/payment/confirm`.
///
/// Its member `passkey`, the response to the options (WebAuthn L3 §5.1.4, AuthenticationResponseJSON), is read by
/// ``PaymentAnswer``.
struct ConfirmPaymentRequest: Codable, Sendable, Equatable {
    var paymentId: String?
    /// The device key's signature over `textToSign`, base64: ECDSA in DER or as 64 bytes, RSA by PKCS #1 v1.5 or PSS.
    var signature: String?
    /// Required with a signature: the payment's challenge, as it was issued.
    var challenge: String?
    /// With a signature: the id that the app gave its device, if the app sends it.
    var deviceId: String?
    /// The token of an approval of this payment.
    var approvalToken: String?
    /// The amount that the app has shown; the request is refused if it differs from the payment's.
    var amount: String?
    /// The currency that the app has shown, checked likewise.
    var currency: String?
    /// The merchant's name that the app has shown, checked likewise.
    var merchantName: String?
}

/// The answer to a confirmation.
struct ConfirmPaymentResponse: Codable, Sendable, Equatable {
    var paymentId: String
    /// Always `confirmed`.
    var status = PaymentStatusView.confirmed
    /// A token that represents the card in this payment only, and can be redeemed once.
    var cardToken: String
    /// Seconds until ``cardToken`` expires.
    var cardTokenExpiresIn: Int
    /// A JWT with the header `typ` `vestibule-receipt+jwt`, which describes the payment.
    var receipt: String
}

/// The body of `POST /api/mobile/payment/{paymentId}/approve` without a proof.
struct ApprovePaymentRequest: Codable, Sendable, Equatable {
    /// `face`, `passkey` or `device-key`.
    var method: String?
}

/// The answer to the method `device-key`: the text for the device to sign.
struct PaymentChallengeResponse: Codable, Sendable, Equatable {
    /// The digest of the payment, base64url.
    var challenge: String
    /// The text that the key signs, in UTF-8.
    var textToSign: String
}

/// The answer to a cancellation.
struct CancelPaymentResponse: Codable, Sendable, Equatable {
    /// Always true.
    var success = true
    /// Always `cancelled`.
    var status = PaymentStatusView.cancelled
}

/// The body of `POST /api/merchant/payment/redeem`.
struct RedeemCardTokenRequest: Codable, Sendable, Equatable {
    /// The token in the answer to the confirmation.
    var cardToken: String
}

/// The payment that a card token was issued for.
struct RedeemCardTokenResponse: Codable, Sendable, Equatable {
    var paymentId: String
    var amount: String
    var currency: String
    var merchant: PaymentMerchant
    /// The bank's own reference of the card.
    var cardReference: String
    var lastFour: String
    /// The scheme: `VISA`.
    var cardType: String
    var receipt: String
}
