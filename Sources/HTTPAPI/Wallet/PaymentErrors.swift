import HTTPTypes
import Kernel
import Operations
import Wallet

// The errors of the routes of payments.
extension APIError {
    /// The merchant of the payment is missing or not well-formed.
    ///
    /// What to do: Correct the client.
    static let invalidMerchant = APIError(
        "invalid_merchant",
        "“merchant” must have a “name” of one line and 1 to \(Merchant.nameLimit) characters, without control "
            + "characters or hidden characters. Its “id” is optional, and ASCII."
    )

    /// The idempotency key was used for a payment with other members.
    ///
    /// What to do: Correct the client: a new key for each payment, the same key for a repetition.
    static let idempotencyMismatch = APIError(
        "idempotency_mismatch",
        "This idempotency key was used for another payment. Make a new one for each payment.",
        status: .conflict
    )

    /// The payment is over a limit of the config, by its amount or the day's count.
    ///
    /// What to do: Tell the person. The limits are `wallet.payments.largest` and `perDay`.
    static let paymentLimit = APIError(
        "payment_limit",
        "This payment is over a limit for its amount or for the day. Pay less, or try again another day.",
        status: .forbidden
    )

    /// The account has as many open payments as it may have.
    ///
    /// What to do: Confirm or cancel one, or wait for the seconds of `Retry-After`.
    static func tooManyOpenPayments(retryAfter wait: Duration) -> APIError {
        APIError(
            "too_many_open_payments",
            "Too many of your payments are waiting. Confirm or cancel one of them, then start over.",
            status: .tooManyRequests,
            retryAfter: Int(max(1, wait.secondsRoundedUp))
        )
    }

    /// The account has no payment of that id.
    ///
    /// What to do: List the payments again.
    static let paymentNotFound = APIError(
        "payment_not_found",
        "You have no such payment. List your payments again.",
        status: .notFound
    )

    /// The payment is confirmed, cancelled or expired.
    ///
    /// What to do: Read the payment for its status, and start a new one where needed.
    ///
    /// `status` is confirmed, cancelled or expired.
    static func paymentOver(_ status: PaymentStatus) -> APIError {
        APIError(
            "payment_over",
            "This payment is \(status.rawValue) and can no longer be changed. Start a new one.",
            status: .conflict
        )
    }

    /// The confirmation is for other members than the payment has.
    ///
    /// What to do: Start a new payment. Nothing was paid.
    static let paymentChanged = APIError(
        "payment_changed",
        "The confirmation is not for this payment, and nothing was paid. Start a new one.",
        status: .conflict
    )

    /// The session is not on the device that is to sign.
    ///
    /// What to do: Sign in on the device, then confirm with its key.
    static let wrongDevice = APIError(
        "wrong_device",
        "This session is on another device, or on none. Sign in on the device, then sign with its key.",
        status: .forbidden
    )
    /// The signature, passkey or face does not confirm this payment.
    ///
    /// What to do: Ask for a new challenge and let the person confirm again. The fifth wrong proof ends the payment.
    ///
    /// The status is not 401: an app would then refresh its active session and repeat the proof, which counts twice.
    static let paymentProofRefused = APIError(
        "payment_proof_refused",
        "This does not confirm this payment in this session. Sign or approve it again: the fifth wrong proof ends it.",
        status: .forbidden,
        counted: .event(.wrongSignature)
    )

    /// The card token is unknown, used or expired.
    ///
    /// What to do: Start a new payment.
    static let cardTokenOver = APIError(
        "card_token_over",
        "The card token is unknown, was used already or has expired. Start a new payment.",
        status: .notFound
    )
}

extension PaymentError: APIErrorConvertible {
    var apiError: APIError {
        switch self {
        case .cardNotFound: .cardNotFound
        case .idempotencyMismatch: .idempotencyMismatch
        case .tooLarge, .tooManyToday: .paymentLimit
        case .tooManyOpen(let wait): .tooManyOpenPayments(retryAfter: wait)
        case .notFound: .paymentNotFound
        case .over(let status): .paymentOver(status)
        case .changed: .paymentChanged
        case .sessionOver: .unauthorized(.badToken)
        case .wrongProof: .paymentProofRefused
        }
    }
}
