package import Kernel

/// A client's settings for logout tokens (OpenID Connect Back-Channel Logout 1.0 §2.2).
package struct LogoutEndpoint: Sendable, Equatable {
    /// `backchannel_logout_uri`.
    package var uri: String
    /// `backchannel_logout_session_required`.
    ///
    /// Every logout token has a `sid`, so that the requirement is always met.
    package var isSessionRequired: Bool

    package init(uri: String, isSessionRequired: Bool = false) {
        self.uri = uri
        self.isSessionRequired = isSessionRequired
    }
}

/// A notice to a client that one of its sessions has ended.
///
/// A session ends once, so that it has one notice.
package struct LogoutNotice: Sendable, Equatable {
    /// How long a notice is tried.
    package static let lifetime = Duration.seconds(24 * 3600)

    package let session: SessionID
    package let account: AccountID
    package let client: String
    /// The endpoint and the algorithm when the session ended.
    ///
    /// They are used only for a client that is gone: a changed endpoint counts for queued notices too.
    package let endpoint: String
    package let algorithm: IdentityAlgorithm?
    package let createdAt: Instant

    package init(
        session: SessionID,
        account: AccountID,
        client: String,
        endpoint: String,
        algorithm: IdentityAlgorithm?,
        createdAt: Instant
    ) {
        self.session = session
        self.account = account
        self.client = client
        self.endpoint = endpoint
        self.algorithm = algorithm
        self.createdAt = createdAt
    }
}

/// A notice in the queue, with the failures of its delivery.
package struct QueuedLogout: QueuedDelivery, Equatable {
    package let notice: LogoutNotice
    package let attempts: Int
    /// The cause of the last failure.
    package let failure: String?

    package var expiresAt: Instant { notice.createdAt + LogoutNotice.lifetime }
    package var concurrencyGroup: String? { notice.client }

    package init(notice: LogoutNotice, attempts: Int, failure: String?) {
        self.notice = notice
        self.attempts = attempts
        self.failure = failure
    }
}

/// The audit events of logout notices; the subject is the session.
package enum LogoutAuditEvent: String, AuditEvent, CaseIterable {
    /// A client was not told that a session ended: its endpoint refused the notice, or was out of reach for a day.
    ///
    /// Detail: The client, a colon, and the cause.
    case undelivered = "logout.undelivered"
}
