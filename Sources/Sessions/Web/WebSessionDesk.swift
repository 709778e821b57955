package import Kernel

/// The use cases of browsers' sessions: a cookie that stands for a session, for as long as both do.
package struct WebSessionDesk: Sendable {
    private let facts: Facts
    private let unitOfWork: any UnitOfWork
    private let store: any WebSessionStore
    private let sessions: SessionDesk
    package let policy: WebSessionPolicy

    package init(
        facts: Facts,
        unitOfWork: any UnitOfWork,
        store: any WebSessionStore,
        sessions: SessionDesk,
        policy: WebSessionPolicy
    ) {
        self.facts = facts
        self.unitOfWork = unitOfWork
        self.store = store
        self.sessions = sessions
        self.policy = policy
    }

    /// Gives a new session a cookie, in the unit of work that opens it; returns how long that is good.
    ///
    /// The cookie is a new one at each sign-in, and the one that the browser brought ends: who planted that holds nothing.
    /// `limit`: when the session itself can last no longer.
    package func open(
        _ cookie: Digest256,
        for session: SessionID,
        replacing old: Digest256?,
        until limit: Instant,
        in transaction: borrowing Transaction
    ) throws -> Duration {
        let now = facts.now()
        if let old { try store.remove(old, in: transaction) }
        let end = min(limit, now + policy.lifetime)
        try store.insert(
            WebSession(cookie: cookie, session: session, createdAt: now, seenAt: now, expiresAt: end),
            in: transaction
        )
        return end - now
    }

    /// The session that the cookie stands for, if both are live.
    package func session(of cookie: Digest256) async throws -> Session? {
        let now = facts.now()
        guard let found = try await store.find(cookie), policy.isLive(found, at: now),
            let session = try await sessions.find(found.session), session.revokedAt == nil
        else { return nil }
        if now - found.seenAt >= WebSessionPolicy.seenEvery {
            try await unitOfWork.run { [store] in try store.markSeen(cookie, at: now, in: $0) }
        }
        return session
    }

    /// Forgets the cookie, in the caller's unit of work.
    package func end(_ cookie: Digest256, in transaction: borrowing Transaction) throws {
        try store.remove(cookie, in: transaction)
    }
}
