package import Kernel

/// A notice to a client that is not delivered yet, as operators see it.
package struct WaitingNotice: Sendable, Equatable {
    package enum Kind: String, Sendable {
        /// A ping or push about a backchannel request that was decided.
        case ciba
        /// A logout token.
        case logout
    }

    package let kind: Kind
    /// The id of the request's operation, or of the session that ended.
    package let subject: String
    package let client: String
    /// The time at which it was queued.
    package let queuedAt: Instant
    /// The time of the next attempt or, while it is attempted, the end of the lease.
    package let dueAt: Instant
    package let attempts: Int
    /// The cause of the last failure, where it is kept.
    package let failure: String?

    /// Creates the view of a notice about a request.
    package init(
        about operation: OperationRowID,
        to client: String,
        by delivery: OAuthClient.Backchannel.Delivery,
        expiresAt: Instant,
        dueAt: Instant,
        attempts: Int
    ) {
        kind = .ciba
        subject = operation.description
        self.client = client
        queuedAt = expiresAt - BackchannelPolicy.collectionWindow(delivery)
        self.dueAt = dueAt
        self.attempts = attempts
        failure = nil
    }

    /// Creates the view of a notice about a session.
    package init(_ queued: QueuedLogout, dueAt: Instant) {
        kind = .logout
        subject = queued.notice.session.description
        client = queued.notice.client
        queuedAt = queued.notice.createdAt
        self.dueAt = dueAt
        attempts = queued.attempts
        failure = queued.failure
    }
}

/// The place behind which a page of waiting notices begins: every notice that is due later, or at that time with a
/// greater subject.
package struct NoticePosition: Sendable, Equatable {
    package let dueAt: Instant
    package let subject: String

    package init(dueAt: Instant, subject: String) {
        self.dueAt = dueAt
        self.subject = subject
    }

    /// Whether a notice comes behind it.
    package func precedes(_ dueAt: Instant, _ subject: String) -> Bool {
        (self.dueAt, self.subject) < (dueAt, subject)
    }
}
