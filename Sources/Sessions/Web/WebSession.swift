package import Kernel

/// The cookie by which a browser holds a session, without the cookie's value, which is not stored.
package struct WebSession: Sendable, Equatable {
    /// SHA-256 of the cookie's value.
    package let cookie: Digest256
    package let session: SessionID
    /// Whether the cookie is the session's only proof: no tokens of it were issued.
    package let isAlone: Bool
    package let createdAt: Instant
    /// The time of the last use, accurate to ``WebSessionPolicy/seenEvery``.
    package let seenAt: Instant
    /// The end of the cookie's validity, however often it is used.
    package let expiresAt: Instant

    package init(
        cookie: Digest256,
        session: SessionID,
        isAlone: Bool,
        createdAt: Instant,
        seenAt: Instant,
        expiresAt: Instant
    ) {
        self.cookie = cookie
        self.session = session
        self.isAlone = isAlone
        self.createdAt = createdAt
        self.seenAt = seenAt
        self.expiresAt = expiresAt
    }
}

/// The lifetimes of browsers' sessions.
package struct WebSessionPolicy: Sendable, Equatable {
    /// The shortest time between two writes of ``WebSession/seenAt``: most requests only read.
    package static let seenEvery: Duration = .seconds(60)

    /// The longest time since the last request.
    package var idle: Duration
    /// The longest time since the sign-in.
    package var lifetime: Duration

    package init(idle: Duration, lifetime: Duration) {
        self.idle = idle
        self.lifetime = lifetime
    }

    func isLive(_ found: WebSession, at now: Instant) -> Bool {
        now < found.expiresAt && now - found.seenAt < idle
    }
}

/// Port: the store of browsers' session cookies.
package protocol WebSessionStore: Sendable {
    func insert(_ session: WebSession, in transaction: borrowing Transaction) throws

    func find(_ cookie: Digest256) async throws -> WebSession?

    /// Returns the time of the last use of each of the sessions that has a cookie.
    func lastSeen(of sessions: Set<SessionID>) async throws -> [SessionID: Instant]

    /// Notes that the cookie was used.
    func markSeen(_ cookie: Digest256, at now: Instant, in transaction: borrowing Transaction) throws

    /// Deletes the cookie, and returns its row; `nil` if the cookie is unknown.
    @discardableResult
    func remove(_ cookie: Digest256, in transaction: borrowing Transaction) throws -> WebSession?

    /// Deletes every cookie of the session.
    func removeAll(of session: SessionID, in transaction: borrowing Transaction) throws
}
