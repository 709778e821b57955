/// Why something about a payment is not done.
package enum PaymentError: Error, Sendable, Equatable {
    /// No such card in this wallet, or no more, or no default one.
    case cardNotFound
    /// The key was used for something else.
    case idempotencyMismatch
    /// Above ``PaymentPolicy/largest``.
    case tooLarge
    /// Above ``PaymentPolicy/perDay``.
    case tooManyToday
    /// Above ``PaymentPolicy/openPerAccount``; `retryAfter`: until the first of them expires.
    case tooManyOpen(retryAfter: Duration)
    /// No such payment of this account.
    case notFound
    /// It is no longer pending.
    case over(PaymentStatus)
    /// What the app shows is not what the payment is for.
    case changed
    /// The session, or its account, is no longer good.
    case sessionOver
    /// The proof does not hold; it was counted against the payment.
    case wrongProof
}
