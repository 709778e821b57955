package import Kernel

/// A payment that was asked for.
package struct InitiatedPayment: Sendable, Equatable {
    package let payment: Payment
    /// Whether this request began it; otherwise an earlier one with the same key did.
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
    /// What the bank calls the card.
    package let cardReference: String
}
