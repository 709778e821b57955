/// The reason why a request about a payment is refused.
package enum PaymentError: Error, Sendable, Equatable {
    /// The card is not in this wallet, was removed, or there is no default one.
    case cardNotFound
    /// The idempotency key was used for a different request.
    case idempotencyMismatch
    /// The sum is above ``PaymentPolicy/largest``.
    case tooLarge
    /// The account has reached ``PaymentPolicy/perDay``.
    case tooManyToday
    /// The account has reached ``PaymentPolicy/openPerAccount``; `retryAfter` is the time until the first one expires.
    case tooManyOpen(retryAfter: Duration)
    /// The account has no such payment.
    case notFound
    /// The payment is no longer pending.
    case over(PaymentStatus)
    /// The values that the app shows differ from the payment's.
    case changed
    /// The session, or its account, is no longer active.
    case sessionOver
    /// The proof failed, and was counted.
    case wrongProof
}
