import Synchronization

/// The outcome of tries to deliver, since the start.
package enum MailOutcome: String, Sendable, CaseIterable {
    case delivered
    /// The mail was not delivered this time; it is tried again.
    case retried
    /// The same, and it takes the operator to mend it.
    case misconfigured
    case bounced
    /// Dropped: its time was over, or it was tried too often.
    case expired
    /// The mail could not be decrypted.
    case unreadable
}

/// How often each outcome was, by kind, and how long the queue is.
package final class MailCounts: Sendable {
    private let outcomes = Mutex<[MailKind: [MailOutcome: Int]]>([:])
    private let states = Mutex<[QueuedMail.State: Int]>([:])

    package subscript(kind: MailKind, outcome: MailOutcome) -> Int {
        outcomes.withLock { $0[kind]?[outcome] ?? 0 }
    }

    /// The number of rows in each state, when the queue was last read.
    package var queue: [QueuedMail.State: Int] { states.withLock { $0 } }

    func add(_ outcome: MailOutcome, _ kind: MailKind) {
        outcomes.withLock { $0[kind, default: [:]][outcome, default: 0] += 1 }
    }

    func note(_ counts: [QueuedMail.State: Int]) { states.withLock { $0 = counts } }
}
