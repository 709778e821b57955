package import Kernel

/// A row of the queue: a mail that is to be delivered, or one that bounced.
///
/// A delivered mail has no row. Recipient and text are encrypted; of a bounced mail only the recipient is kept.
package struct QueuedMail: Sendable, Equatable {
    package let id: MailID
    package let kind: MailKind
    package var state: State
    /// The name of the key that encrypted both.
    package let encryptionKey: String
    package let recipient: [UInt8]
    /// `nil` of a bounced mail.
    package var message: [UInt8]?
    package let createdAt: Instant
    /// The time from which the mail is pointless, and is dropped.
    package let expiresAt: Instant
    /// The time of the next try; while the mail is claimed, the end of its lease.
    package var dueAt: Instant
    /// The number of failed tries.
    package var attempts: Int
    /// The reason why the last try failed.
    package var failure: MailTransportError.Kind?
    /// The server's reply code then (RFC 5321 §4.2.1).
    package var reply: Int?
    package var endedAt: Instant?

    /// The state of a mail.
    package enum State: String, Sendable, CaseIterable {
        case queued
        /// Refused for good; kept so that an operator sees it.
        case bounced
    }

    package init(
        id: MailID,
        kind: MailKind,
        state: State = .queued,
        encryptionKey: String,
        recipient: [UInt8],
        message: [UInt8]?,
        createdAt: Instant,
        expiresAt: Instant,
        dueAt: Instant,
        attempts: Int = 0,
        failure: MailTransportError.Kind? = nil,
        reply: Int? = nil,
        endedAt: Instant? = nil
    ) {
        self.id = id
        self.kind = kind
        self.state = state
        self.encryptionKey = encryptionKey
        self.recipient = recipient
        self.message = message
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.dueAt = dueAt
        self.attempts = attempts
        self.failure = failure
        self.reply = reply
        self.endedAt = endedAt
    }
}

extension QueuedMail: QueuedDelivery {
    package var longestDelay: Duration? { kind.longestDelay }
}
