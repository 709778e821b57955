package import Kernel

/// A mail to hand to a transport.
package struct MailMessage: Sendable, Equatable {
    /// The envelope's recipient: an address alone, without a name or brackets (RFC 5321 §4.1.2).
    package let recipient: String
    /// Headers and body, every line ended by CR LF (RFC 5322 §2.1).
    package let bytes: [UInt8]

    package init(recipient: String, bytes: [UInt8]) {
        self.recipient = recipient
        self.bytes = bytes
    }
}

/// The purpose of a mail: its label in metrics and lists.
package enum MailKind: String, Sendable, CaseIterable {
    case signInCode = "sign_in_code"
    case addressProof = "address_proof"
    case notice
    case test

    /// At most 30 seconds between attempts for a sign-in code: a person waits for it, and it is valid for ten minutes.
    var longestDelay: Duration? { self == .signInCode ? .seconds(30) : nil }
}

/// A mail in the queue.
package struct MailID: EntityID {
    package static let kind = IDKind.mail
    package let bits: UUIDBits
    package init(_ bits: UUIDBits) { self.bits = bits }
}
