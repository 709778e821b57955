// Wallet: banks, their cards, and payments.
// Owns enrolment at a bank, the sync of its cards, the default card, payments and receipts.
// Reaches banks by a port alone; confirms no payment without a proof that its caller has checked.
// Survives banks that hang, lie or answer twice: a payment is carried out once.
// A bank's tokens are encrypted in their rows.

package import Kernel

/// Port: returns whether the session is active and that account's, and the account may sign in.
package typealias SessionLiveness = @Sendable (SessionID, AccountID, borrowing Transaction) throws -> Bool

/// An audit event of a wallet; a record's detail has text of this server or the config, never of a bank or an app.
package enum WalletAuditEvent: String, AuditEvent, CaseIterable {
    case bankEnrolled = "bank.enrolled"
    case bankUnlinked = "bank.unlinked"
    case cardRemoved = "card.removed"
    case enrolmentRefused = "bank.enrolment_refused"
    case paymentInitiated = "payment.initiated"
    case paymentConfirmed = "payment.confirmed"
    case paymentCancelled = "payment.cancelled"
    case paymentExpired = "payment.expired"
    case cardTokenRedeemed = "payment.redeemed"
    case paymentRefused = "payment.refused"
}
