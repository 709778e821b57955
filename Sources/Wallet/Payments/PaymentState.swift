package import Kernel

/// Where a payment stands.
package enum PaymentState: Sendable, Equatable {
    case pending
    case confirmed(Confirmation)
    case cancelled(at: Instant)
    /// Its time was over before anybody confirmed it.
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

/// A state without what belongs to it, as the wire names it.
package enum PaymentStatus: String, Sendable, CaseIterable {
    case pending, confirmed, cancelled, expired
}

/// How a person has confirmed a payment, as the wire and the receipt name it.
package enum PaymentMethod: String, Sendable, CaseIterable {
    case deviceKey = "device-key"
    case passkey
    case face
}

/// Who confirmed a payment, and the card token that came of it.
package struct Confirmation: Sendable, Equatable {
    package let at: Instant
    /// The session that confirmed: no other is ever told the card token.
    package let session: SessionID
    package let method: PaymentMethod
    /// SHA-256 of the card token.
    package let tokenDigest: Digest256
    /// The token is good before it, not at it.
    package let tokenExpiresAt: Instant
    /// When the token was spent.
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

    /// Whether its token can be spent.
    package func isOpen(at now: Instant) -> Bool { redeemedAt == nil && now < tokenExpiresAt }

    func redeemed(at now: Instant) -> Confirmation {
        var confirmation = self
        confirmation.redeemedAt = now
        return confirmation
    }
}
