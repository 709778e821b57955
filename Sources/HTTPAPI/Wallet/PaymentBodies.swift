/// The body of `POST /api/merchant/payment/initiate`.
struct InitiatePaymentRequest: Codable, Sendable, Equatable {
    /// The card that pays; by default the wallet's default card.
    var cardId: String?
    /// A decimal number as text, `12.50`, which is shown and signed as written.
    var amount: String
    /// Three capital letters (ISO 4217).
    var currency: String
    /// The merchant, by this member or by ``merchantName``.
    var merchant: PaymentMerchant?
    var merchantName: String?
    /// A key that makes a repetition the same payment, as the header `Idempotency-Key` does.
    var idempotencyKey: String?
}

struct PaymentMerchant: Codable, Sendable, Equatable {
    /// The name that the person is shown: one line, at most 100 characters.
    var name: String
    /// The merchant's id where payments are settled.
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

/// A payment as its account sees it.
struct PaymentView: Codable, Sendable, Equatable {
    /// A UUID.
    var paymentId: String
    var status: PaymentStatusView
    /// As requested.
    var amount: String
    /// As requested.
    var currency: String
    var merchant: PaymentMerchant
    /// The card as it was when the payment began.
    var card: PaymentCard
    /// UTC, `2026-01-31T09:05:00Z`.
    var createdAt: String
    /// The end of the time for a confirmation.
    var expiresAt: String
    /// Seconds until ``expiresAt``, while the payment is pending.
    var expiresIn: Int?
    /// The digest of the payment, base64url, while it is pending.
    var challenge: String?
    /// The text that the device's key signs, in UTF-8, while the payment is pending.
    var textToSign: String?
    /// The account's ways of confirmation, in the answer to a start: `device-key`, `passkey`, `face`.
    var methods: [String]?
    /// The way of the confirmation, as in ``methods``.
    var method: String?
    var confirmedAt: String?
    /// A signed statement of the payment, for the session that confirmed it.
    var receipt: String?
    /// For the same session, until the token is redeemed or expires.
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
/// Its member `passkey` is read elsewhere: the response to the options as it is (WebAuthn L3 §5.1.4,
/// AuthenticationResponseJSON).
struct ConfirmPaymentRequest: Codable, Sendable, Equatable {
    var paymentId: String?
    /// The device key's signature over `textToSign`, base64: ECDSA in DER or as 64 bytes, RSA by PKCS #1 v1.5 or PSS.
    var signature: String?
    /// Beside a signature: the payment's challenge, as issued.
    var challenge: String?
    /// Beside a signature: the id that the app gave its device, if the app sends it.
    var deviceId: String?
    /// The token of an approval of this payment.
    var approvalToken: String?
    /// The amount that the app has shown; refused if it differs from the payment's.
    var amount: String?
    /// Likewise.
    var currency: String?
    /// Likewise.
    var merchantName: String?
}

/// The answer to a confirmation.
struct ConfirmPaymentResponse: Codable, Sendable, Equatable {
    var paymentId: String
    /// Always `confirmed`.
    var status = PaymentStatusView.confirmed
    /// A token that replaces the card in this one payment, and is valid once.
    var cardToken: String
    /// Seconds until ``cardToken`` expires.
    var cardTokenExpiresIn: Int
    /// A JWT with the header `typ` `vestibule-receipt+jwt`, which states the payment.
    var receipt: String
}

/// The body of `POST /api/mobile/payment/{paymentId}/approve` without a proof.
struct ApprovePaymentRequest: Codable, Sendable, Equatable {
    /// `face`, `passkey` or `device-key`.
    var method: String?
}

/// The answer to `device-key`: the text for the device to sign.
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
    /// The card as its bank knows it.
    var cardReference: String
    var lastFour: String
    /// The scheme: `VISA`.
    var cardType: String
    var receipt: String
}
