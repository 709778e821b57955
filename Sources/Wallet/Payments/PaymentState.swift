package import Kernel

/// The state of a payment.
package enum PaymentState: Sendable, Equatable {
    case pending
    case confirmed(Confirmation)
    case cancelled(at: Instant)
    /// The payment expired before a confirmation.
    case expired

    package var status: PaymentStatus {
        switch self {
        case .pending: .pending
        case .confirmed: .confirmed
        case .cancelled: .cancelled
        case .expired: .expired
        }
    }
}

/// A state without its values, as the wire names it.
package enum PaymentStatus: String, Sendable, CaseIterable {
    case pending, confirmed, cancelled, expired
}

/// The method of a confirmation, as the wire and the receipt name it.
package enum PaymentMethod: String, Sendable, CaseIterable {
    case deviceKey = "device-key"
    case passkey
    case face
}

/// The confirmation of a payment, and its card token.
package struct Confirmation: Sendable, Equatable {
    package let at: Instant
    /// The session that confirmed, and the only one that gets the card token.
    package let session: SessionID
    package let method: PaymentMethod
    /// SHA-256 of the card token.
    package let tokenDigest: Digest256
    /// The exclusive end of the token's validity.
    package let tokenExpiresAt: Instant
    /// The time at which the token was spent.
    package private(set) var redeemedAt: Instant?

    package init(
        at: Instant,
        session: SessionID,
        method: PaymentMethod,
        tokenDigest: Digest256,
        tokenExpiresAt: Instant,
        redeemedAt: Instant? = nil
    ) {
        self.at = at
        self.session = session
        self.method = method
        self.tokenDigest = tokenDigest
        self.tokenExpiresAt = tokenExpiresAt
        self.redeemedAt = redeemedAt
    }

    /// Whether the token can be spent.
    package func isOpen(at now: Instant) -> Bool { redeemedAt == nil && now < tokenExpiresAt }

    func redeemed(at now: Instant) -> Confirmation {
        var confirmation = self
        confirmation.redeemedAt = now
        return confirmation
    }
}
