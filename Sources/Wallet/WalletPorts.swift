// Wallet: banks, their cards, and payments.
// Owns enrolment at a bank, the sync of its cards, the default card, payments and receipts.
// Reaches banks only through a port; confirms no payment without a proof that the caller checks.
// Survives banks that hang, send false data or answer twice: a payment is carried out once.
// The database has a bank's tokens only encrypted.

package import Kernel

/// Port: returns whether the session is active and belongs to the account, and the account may sign in.
package typealias SessionLiveness = @Sendable (SessionID, AccountID, borrowing Transaction) throws -> Bool

/// The audit events of wallets, whose subject is the account.
///
/// A record's detail has text of this server or the config, never of a bank or an app.
package enum WalletAuditEvent: String, AuditEvent, CaseIterable {
    /// A bank's cards were added to the wallet.
    ///
    /// Detail: The bank's id, and `cards:` with their number.
    case bankEnrolled = "bank.enrolled"
    /// The person unlinked a bank.
    ///
    /// Detail: The bank's id.
    case bankUnlinked = "bank.unlinked"
    /// The person removed a card.
    ///
    /// Detail: `card` and its id.
    case cardRemoved = "card.removed"
    /// An enrolment at a bank was refused.
    ///
    /// Detail: The bank's id, a colon, and the reason.
    case enrolmentRefused = "bank.enrolment_refused"
    /// A payment was requested.
    ///
    /// Detail: The payment's id and its amount.
    case paymentInitiated = "payment.initiated"
    /// The person confirmed a payment.
    ///
    /// Detail: The payment's id, its amount and the means of the confirmation.
    case paymentConfirmed = "payment.confirmed"
    /// The person cancelled a payment.
    ///
    /// Detail: The payment's id and its amount.
    case paymentCancelled = "payment.cancelled"
    /// Nobody confirmed a payment in time.
    ///
    /// Detail: The payment's id and its amount.
    case paymentExpired = "payment.expired"
    /// A confirmed payment was carried out.
    ///
    /// Detail: The payment's id and its amount.
    case cardTokenRedeemed = "payment.redeemed"
    /// A proof did not confirm a payment.
    ///
    /// Detail: The payment's id, its amount and the means of the proof.
    case paymentRefused = "payment.refused"
}
