import Synchronization

/// The outcome of an attempt to deliver a mail.
package enum MailOutcome: String, Sendable, CaseIterable {
    case delivered
    /// The attempt failed, and another one follows.
    case retried
    /// The attempt failed because of a wrong configuration, and another one follows.
    case misconfigured
    case bounced
    /// The mail was dropped: it had expired, or had too many failed attempts.
    case expired
    /// The mail could not be decrypted.
    case unreadable
}

/// The number of each outcome since the start, by kind of mail, and the length of the queue.
package final class MailCounts: Sendable {
    private let outcomes = Mutex<[MailKind: [MailOutcome: Int]]>([:])
    private let states = Mutex<[QueuedMail.State: Int]>([:])

    package subscript(kind: MailKind, outcome: MailOutcome) -> Int {
        outcomes.withLock { $0[kind]?[outcome] ?? 0 }
    }

    /// The number of mails in each state, when the queue was last read.
    package var queue: [QueuedMail.State: Int] { states.withLock { $0 } }

    func add(_ outcome: MailOutcome, _ kind: MailKind) {
        outcomes.withLock { $0[kind, default: [:]][outcome, default: 0] += 1 }
    }

    func note(_ counts: [QueuedMail.State: Int]) { states.withLock { $0 = counts } }
}
