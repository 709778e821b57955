/// Port: sends a mail out.
package protocol MailTransport: Sendable {
    /// Hands a mail over; a return means that the other side has taken responsibility for it.
    ///
    /// A caller that is cancelled before the mail is out gives up; afterwards it waits for the answer.
    func deliver(_ message: MailMessage) async throws(MailTransportError)
}

/// The reason why a mail was not delivered.
package struct MailTransportError: Error, Equatable, Sendable {
    package let kind: Kind
    /// The server's reply code (RFC 5321 §4.2.1), if it came to that.
    package let reply: Int?
    /// The cause for the log: it holds no address and no part of the mail.
    package let cause: String

    package init(_ kind: Kind, reply: Int? = nil, cause: String) {
        self.kind = kind
        self.reply = reply
        self.cause = cause
    }

    /// The side that has to act on the error.
    package enum Kind: String, Sendable, CaseIterable {
        /// The network, or a 4xx reply: nobody has to act, and a later try may succeed.
        case temporary
        /// The server refuses this mail for good (5xx).
        case permanent
        /// The operator: certificates, names or credentials don't fit. Tried again, for it is not the mail's fault.
        case configuration
        /// The mail can't be decrypted: its key is gone.
        case unreadable
    }
}
