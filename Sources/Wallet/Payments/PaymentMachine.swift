package import Kernel

/// An event of a payment.
package enum PaymentEvent: Sendable, Equatable {
    /// The account's holder gave a valid proof.
    case confirmRequested(Confirmation)
    /// An invalid proof was presented.
    case proofFailed
    case cancelRequested
    case deadlineReached
    /// The card token was presented.
    case redeemRequested
}

/// The transitions of a payment's states by events.
///
/// They use no clock, no database and no randomness. A test covers every state with every event.
package enum PaymentMachine {
    /// The number of failed proofs that cancels the payment.
    ///
    /// RTS (EU) 2018/389 Art. 4(3)(b): no more than five failed attempts in a row before the action is blocked.
    package static let mostWrongProofs = 5

    /// The reason why an event changes nothing.
    package enum TransitionError: Error, Equatable, Sendable {
        /// The event has no meaning in this state.
        case notInThisState
        /// The deadline of the payment, or of its card token, has passed.
        case tooLate
        /// The deadline has not come yet.
        case tooEarly
        /// The card token was spent before.
        case alreadyRedeemed
    }

    /// Returns the payment after `event`.
    package static func apply(
        _ event: PaymentEvent,
        to payment: Payment,
        now: Instant
    ) throws(TransitionError) -> Payment {
        switch event {
        case .confirmRequested(let confirmation): return try confirm(payment, by: confirmation, at: now)
        case .proofFailed: return try countWrongProof(payment, at: now)
        case .cancelRequested:
            try requireOpen(payment, at: now)
            return payment.advanced(to: .cancelled(at: now), wrongProofs: payment.wrongProofs)
        case .deadlineReached: return try reachDeadline(payment, at: now)
        case .redeemRequested: return try redeem(payment, at: now)
        }
    }

    /// Returns the payment as of `now`: expired after its time, even if that was not written yet.
    ///
    /// ``PaymentService`` also writes the expiry. Otherwise the payment would be pending again after the wall clock is
    /// set back.
    package static func seen(_ payment: Payment, at now: Instant) -> Payment {
        (try? apply(.deadlineReached, to: payment, now: now)) ?? payment
    }

    private static func requireOpen(_ payment: Payment, at now: Instant) throws(TransitionError) {
        guard payment.state == .pending else { throw .notInThisState }
        guard now < payment.validity.expiresAt else { throw .tooLate }
    }

    private static func confirm(
        _ payment: Payment,
        by confirmation: Confirmation,
        at now: Instant
    ) throws(TransitionError) -> Payment {
        try requireOpen(payment, at: now)
        return payment.advanced(to: .confirmed(confirmation), wrongProofs: payment.wrongProofs)
    }

    private static func countWrongProof(_ payment: Payment, at now: Instant) throws(TransitionError) -> Payment {
        try requireOpen(payment, at: now)
        let wrong = payment.wrongProofs + 1
        return payment.advanced(to: wrong < mostWrongProofs ? .pending : .cancelled(at: now), wrongProofs: wrong)
    }

    private static func reachDeadline(_ payment: Payment, at now: Instant) throws(TransitionError) -> Payment {
        guard payment.state == .pending else { throw .notInThisState }
        guard now >= payment.validity.expiresAt else { throw .tooEarly }
        return payment.advanced(to: .expired, wrongProofs: payment.wrongProofs)
    }

    private static func redeem(_ payment: Payment, at now: Instant) throws(TransitionError) -> Payment {
        guard case .confirmed(let confirmation) = payment.state else { throw .notInThisState }
        guard confirmation.redeemedAt == nil else { throw .alreadyRedeemed }
        guard now < confirmation.tokenExpiresAt else { throw .tooLate }
        return payment.advanced(to: .confirmed(confirmation.redeemed(at: now)), wrongProofs: payment.wrongProofs)
    }
}
