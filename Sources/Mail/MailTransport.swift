/// Port: sends mails.
package protocol MailTransport: Sendable {
    /// Sends a mail.
    ///
    /// When it returns, the mail server has accepted responsibility for the mail.
    ///
    /// A cancelled caller gives up if the mail has not been sent yet. Otherwise it waits for the server's answer.
    func deliver(_ message: MailMessage) async throws(MailTransportError)
}

/// The reason why a mail was not delivered.
package struct MailTransportError: Error, Equatable, Sendable {
    package let kind: Kind
    /// The server's reply code (RFC 5321 §4.2.1); `nil` if the server did not reply.
    package let reply: Int?
    /// The cause for the log, without an address or any part of the mail.
    package let cause: String

    package init(_ kind: Kind, reply: Int? = nil, cause: String) {
        self.kind = kind
        self.reply = reply
        self.cause = cause
    }

    /// The side that has to act on the error.
    package enum Kind: String, Sendable, CaseIterable {
        /// The network failed, or the server replied 4xx: a later attempt may succeed without any action.
        case temporary
        /// The server refuses this mail permanently (5xx).
        case permanent
        /// The operator has to correct certificates, names or credentials. The mail is tried again.
        case configuration
        /// The mail can't be decrypted: its key is gone, or its row was changed.
        case unreadable
    }
}
