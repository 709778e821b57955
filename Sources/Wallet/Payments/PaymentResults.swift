package import Kernel

/// A requested payment.
package struct InitiatedPayment: Sendable, Equatable {
    package let payment: Payment
    /// Whether this request began the payment, and not an earlier one with the same idempotency key.
    package let isNew: Bool
}

/// A payment that was confirmed just now.
package struct ConfirmedPayment: Sendable, Equatable {
    package let payment: Payment
    package let confirmation: Confirmation
    package let cardToken: Secret
    package let cardTokenExpiresIn: Duration
}

/// A payment whose card token was spent just now.
package struct RedeemedPayment: Sendable, Equatable {
    package let payment: Payment
    package let confirmation: Confirmation
    /// The bank's reference of the card.
    package let cardReference: String
}
