package import Kernel

/// A payment that was asked for.
package struct InitiatedPayment: Sendable, Equatable {
    package let payment: Payment
    /// Whether this request began it; otherwise an earlier one with the same key did.
    package let isNew: Bool

    package init(payment: Payment, isNew: Bool) {
        self.payment = payment
        self.isNew = isNew
    }
}

/// A payment that was confirmed just now.
package struct ConfirmedPayment: Sendable, Equatable {
    package let payment: Payment
    package let confirmation: Confirmation
    package let cardToken: Secret
    package let cardTokenExpiresIn: Duration

    package init(
        payment: Payment,
        confirmation: Confirmation,
        cardToken: Secret,
        cardTokenExpiresIn: Duration
    ) {
        self.payment = payment
        self.confirmation = confirmation
        self.cardToken = cardToken
        self.cardTokenExpiresIn = cardTokenExpiresIn
    }
}

/// A payment whose card token was spent just now.
package struct RedeemedPayment: Sendable, Equatable {
    package let payment: Payment
    package let confirmation: Confirmation
    /// What the bank calls the card.
    package let cardReference: String

    package init(payment: Payment, confirmation: Confirmation, cardReference: String) {
        self.payment = payment
        self.confirmation = confirmation
        self.cardReference = cardReference
    }
}
