package import Kernel

/// The use cases of browsers' sessions: a cookie that represents a session, for as long as both are valid.
package struct WebSessionService: Sendable {
    private let environment: Environment
    private let unitOfWork: any UnitOfWork
    private let store: any WebSessionStore
    private let sessions: SessionService
    package let policy: WebSessionPolicy

    package init(
        environment: Environment,
        unitOfWork: any UnitOfWork,
        store: any WebSessionStore,
        sessions: SessionService,
        policy: WebSessionPolicy
    ) {
        self.environment = environment
        self.unitOfWork = unitOfWork
        self.store = store
        self.sessions = sessions
        self.policy = policy
    }

    /// Gives a session a new cookie, in the caller's unit of work; the session's previous cookie becomes invalid.
    ///
    /// The cookie that the browser presented ends, with its session if the session has no other proof. So an attacker
    /// who planted that cookie holds nothing.
    ///
    /// `isAlone`: whether no tokens of the session are issued. `limit`: the latest end of the session itself.
    package func open(
        _ cookie: Digest256,
        for session: SessionID,
        isAlone: Bool,
        replacing old: Digest256?,
        until limit: Instant,
        in transaction: borrowing Transaction
    ) throws {
        let now = environment.now()
        if let old { try end(old, before: session, in: transaction) }
        try store.removeAll(of: session, in: transaction)
        try store.insert(
            WebSession(
                cookie: cookie,
                session: session,
                isAlone: isAlone,
                createdAt: now,
                seenAt: now,
                expiresAt: min(limit, now + policy.lifetime)
            ),
            in: transaction
        )
    }

    /// Deletes the browser's previous cookie, and ends the session that only this cookie proved.
    private func end(_ old: Digest256, before session: SessionID, in transaction: borrowing Transaction) throws {
        guard let held = try store.remove(old, in: transaction), held.isAlone, held.session != session,
            let ended = try sessions.find(held.session, in: transaction)
        else { return }
        _ = try sessions.revoke(ended.id, of: ended.account, because: .signedOut, in: transaction)
    }

    /// Returns the session that the cookie represents, if both are live.
    package func session(of cookie: Digest256) async throws -> Session? {
        let now = environment.now()
        guard let found = try await store.find(cookie), policy.isLive(found, at: now),
            let session = try await sessions.find(found.session), session.revocation == nil
        else { return nil }
        if now - found.seenAt >= WebSessionPolicy.seenEvery {
            try await unitOfWork.run { [store] in try store.markSeen(cookie, at: now, in: $0) }
        }
        return session
    }

    /// Returns the time of the last use of each of the sessions that a browser's cookie holds.
    package func lastSeen(of sessions: Set<SessionID>) async throws -> [SessionID: Instant] {
        guard !sessions.isEmpty else { return [:] }
        return try await store.lastSeen(of: sessions)
    }

    /// Deletes the cookie, in the caller's unit of work.
    package func end(_ cookie: Digest256, in transaction: borrowing Transaction) throws {
        try store.remove(cookie, in: transaction)
    }
}
