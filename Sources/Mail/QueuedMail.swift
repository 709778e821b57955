package import Kernel

/// A row of the mail queue: a mail that is to be delivered, or one that bounced.
///
/// A delivered mail has no row. Recipient and text are encrypted. A bounced mail keeps only its recipient.
package struct QueuedMail: Sendable, Equatable {
    package let id: MailID
    package let kind: MailKind
    package var state: State
    package var contents: Contents
    package let createdAt: Instant
    /// The time from which the mail is useless and dropped.
    package let expiresAt: Instant
    package var tries: Tries
    package var endedAt: Instant?

    /// The state of a mail.
    package enum State: String, Sendable, CaseIterable {
        case queued
        /// The mail was permanently refused, and is kept for the operator.
        case bounced
    }

    /// The encrypted parts of a mail.
    package struct Contents: Sendable, Equatable {
        /// The name of the key that encrypted recipient and message.
        package let encryptionKey: String
        package let recipient: [UInt8]
        /// `nil` for a bounced mail.
        package var message: [UInt8]?

        package init(encryptionKey: String, recipient: [UInt8], message: [UInt8]?) {
            self.encryptionKey = encryptionKey
            self.recipient = recipient
            self.message = message
        }
    }

    /// The attempts to deliver a mail.
    package struct Tries: Sendable, Equatable {
        /// The time of the next attempt, or the end of the lease while the mail is claimed.
        package var dueAt: Instant
        /// The number of failed attempts.
        package var attempts: Int
        /// The reason why the last attempt failed.
        package var failure: MailTransportError.Kind?
        /// The server's reply code at the last attempt (RFC 5321 §4.2.1).
        package var reply: Int?

        package init(
            dueAt: Instant,
            attempts: Int = 0,
            failure: MailTransportError.Kind? = nil,
            reply: Int? = nil
        ) {
            self.dueAt = dueAt
            self.attempts = attempts
            self.failure = failure
            self.reply = reply
        }
    }

    package init(
        id: MailID,
        kind: MailKind,
        state: State = .queued,
        contents: Contents,
        createdAt: Instant,
        expiresAt: Instant,
        tries: Tries,
        endedAt: Instant? = nil
    ) {
        self.id = id
        self.kind = kind
        self.state = state
        self.contents = contents
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.tries = tries
        self.endedAt = endedAt
    }
}

extension QueuedMail: QueuedDelivery {
    package var attempts: Int { tries.attempts }

    package var longestDelay: Duration? { kind.longestDelay }
}
