package import Kernel

/// An order to open a session.
package struct SessionOpeningOrder: Sendable {
    package let session: Session
    /// The key of its first refresh token: SHA-256 of the `jti`.
    package let refreshKey: Digest256
    package let refreshExpiresAt: Instant

    package init(session: Session, refreshKey: Digest256, refreshExpiresAt: Instant) {
        self.session = session
        self.refreshKey = refreshKey
        self.refreshExpiresAt = refreshExpiresAt
    }
}

/// The use cases of sessions.
package struct SessionDesk: Sendable {
    private let facts: Facts
    private let store: any SessionStore

    package init(facts: Facts, store: any SessionStore) {
        self.facts = facts
        self.store = store
    }

    /// Opens a session and the first refresh row of its family, in the caller's unit of work.
    package func open(_ order: SessionOpeningOrder, in transaction: borrowing Transaction) throws {
        let token = RefreshToken(
            key: order.refreshKey,
            session: order.session.id,
            family: order.refreshKey,
            parent: nil,
            child: nil,
            issuedAt: order.session.createdAt,
            expiresAt: order.refreshExpiresAt,
            firstUsedAt: nil
        )
        try store.insert(order.session, token, in: transaction)
    }

    package func find(_ id: SessionID) async throws -> Session? { try await store.find(id) }

    /// Those of the sessions that tokens can still be had for.
    package func standing(among sessions: Set<SessionID>) async throws -> Set<SessionID> {
        guard !sessions.isEmpty else { return [] }
        return try await store.standing(among: sessions, at: facts.now())
    }

    /// Whether the session is the account's and not revoked, in the caller's unit of work.
    package func isOpen(
        _ session: SessionID,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try store.isOpen(session, of: account, in: transaction)
    }

    /// Revokes one session of the account with its refresh family, in the caller's unit of work.
    ///
    /// `nil` if there is nothing of the account's to revoke.
    package func revoke(
        _ session: SessionID,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> RevokedSession? {
        try store.revoke(session, of: account, at: facts.now(), in: transaction)
    }

    /// Revokes every session of the account, in the caller's unit of work; returns how many.
    package func revokeAll(of account: AccountID, in transaction: borrowing Transaction) throws -> Int {
        try store.revokeAll(of: account, at: facts.now(), in: transaction)
    }
}
