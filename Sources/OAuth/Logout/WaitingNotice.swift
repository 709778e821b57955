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

extension LogoutNotices {
    /// Returns the notices that wait, the next due first; those of one client, if one is named.
    package func waiting(
        for client: String?,
        after position: NoticePosition?,
        limit: Int,
        _ unitOfWork: any UnitOfWork
    ) async throws -> [WaitingNotice] {
        try await unitOfWork.read { [store] in try store.waiting(for: client, after: position, limit: limit, in: $0) }
    }

    /// Returns the number of waiting notices, counted up to a bound, and since when the oldest waits.
    package func noticeState(upTo bound: Int, _ unitOfWork: any UnitOfWork) async throws -> LogoutQueueState {
        try await unitOfWork.read { [store] in try store.state(upTo: bound, in: $0) }
    }

    /// Makes the notices due now that nobody is delivering, and returns their number.
    package func expedite(at now: Instant, _ unitOfWork: any UnitOfWork) async throws -> Int {
        let count = try await unitOfWork.run { [store] in try store.expedite(at: now, in: $0) }
        signal.raise()
        return count
    }
}

extension BackchannelService {
    /// Returns the number of waiting notices, counted up to a bound, and since when the oldest waits.
    package func noticeState(upTo bound: Int, _ unitOfWork: any UnitOfWork) async throws -> LogoutQueueState {
        try await unitOfWork.read { [store] in try store.state(upTo: bound, in: $0) }
    }

    /// Returns the notices that wait, the next due first; those of one client, if one is named.
    package func waiting(
        for client: String?,
        after position: NoticePosition?,
        limit: Int,
        _ unitOfWork: any UnitOfWork
    ) async throws -> [WaitingNotice] {
        try await unitOfWork.read { [store] in try store.waiting(for: client, after: position, limit: limit, in: $0) }
    }

    /// Makes the notices due now that nobody is delivering, and returns their number.
    package func expedite(at now: Instant, _ unitOfWork: any UnitOfWork) async throws -> Int {
        let count = try await unitOfWork.run { [store] in try store.expedite(at: now, in: $0) }
        signal.raise()
        return count
    }
}
