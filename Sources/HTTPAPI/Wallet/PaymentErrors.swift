import HTTPTypes
import Kernel
import Operations
import Wallet

// The errors of the routes of payments.
extension APIError {
    static let invalidMerchant = APIError(
        "invalid_merchant",
        "Say who is paid: “merchant” has a “name” of one line, 1 to \(Merchant.nameLimit) characters without control "
            + "characters or marks that hide text or turn it around, and may have an “id” of ASCII."
    )
    static let idempotencyMismatch = APIError(
        "idempotency_mismatch",
        "This idempotency key was used for another payment. Make a new one for each payment.",
        status: .conflict
    )
    static let paymentLimit = APIError(
        "payment_limit",
        "This payment is larger, or one more in a day, than is allowed here.",
        status: .forbidden
    )

    static func tooManyOpenPayments(retryAfter wait: Duration) -> APIError {
        APIError(
            "too_many_open_payments",
            "Too many of your payments are waiting. Confirm or cancel one of them, then start over.",
            status: .tooManyRequests,
            retryAfter: Int(max(1, wait.secondsRoundedUp))
        )
    }

    static let paymentNotFound = APIError("payment_not_found", "You have no such payment.", status: .notFound)

    /// `status` is confirmed, cancelled or expired.
    static func paymentOver(_ status: PaymentStatus) -> APIError {
        APIError(
            "payment_over",
            "This payment is \(status.rawValue): nothing about it can be changed any more.",
            status: .conflict
        )
    }

    static let paymentChanged = APIError(
        "payment_changed",
        "What was shown is not what this payment is for. Nothing was paid; start a new one.",
        status: .conflict
    )
    static let wrongDevice = APIError(
        "wrong_device",
        "This session is on another device, or on none: sign with the key of the device it is on.",
        status: .forbidden
    )
    // The session is active: after a 401 an app would refresh it and send the same proof again, which counts twice.
    static let paymentProofRefused = APIError(
        "payment_proof_refused",
        "This does not confirm this payment, in this session: sign or approve it again. After five such proofs it is over.",
        status: .forbidden,
        counted: .event(.wrongSignature)
    )
    static let cardTokenOver = APIError(
        "card_token_over",
        "There is no such card token, or it was used already, or it has expired.",
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
