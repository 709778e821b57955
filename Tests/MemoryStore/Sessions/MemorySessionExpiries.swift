package import Kernel
package import Sessions

// Sessions of the in-memory store that expired.
extension MemorySessionStore {
    package func expired(
        after position: ExpiryPosition,
        until end: Instant,
        limit: Int,
        in transaction: borrowing Transaction
    ) throws -> [ExpiredToken] {
        let identity = try transaction.draft().tables.identity
        let tokens = identity.refreshTokens.values.filter { token in
            token.expiresAt <= end && position.precedes(token)
        }
        return tokens.sorted { ExpiryPosition(expiresAt: $0.expiresAt, key: $0.key).precedes($1) }.prefix(limit)
            .compactMap { token in
                guard let row = identity.sessions[token.session] else { return nil }
                let isOver =
                    token.lineage.child == nil && row.session.revocation == nil
                    && !identity.isExpiryNoted(token.session)
                return ExpiredToken(
                    position: ExpiryPosition(expiresAt: token.expiresAt, key: token.key),
                    client: row.session.client,
                    session: isOver ? token.session : nil
                )
            }
    }

    package func noteExpiry(
        of session: SessionID,
        by end: Instant,
        in transaction: borrowing Transaction
    ) throws -> ExpiredSession? {
        let draft = try transaction.draft()
        let identity = draft.tables.identity
        guard let row = identity.sessions[session], row.session.revocation == nil, !identity.isExpiryNoted(session),
            !identity.refreshTokens.values.contains(where: { token in
                token.session == session && token.lineage.child == nil && token.expiresAt > end
            })
        else { return nil }
        draft.tables.identity.sessions[session]?.expiryNotedAt = end
        return ExpiredSession(id: session, account: row.session.account, client: row.session.client)
    }

    package func expiriesNotedUntil(in transaction: borrowing Transaction) throws -> Instant? {
        try transaction.draft().tables.identity.expiriesNotedUntil
    }

    package func keepExpiriesNoted(until end: Instant, in transaction: borrowing Transaction) throws {
        try transaction.draft().tables.identity.expiriesNotedUntil = end
    }
}

extension MemoryIdentityTables {
    /// Whether the expiry of a session is noted, and no token of it expires later than that, or after `now`.
    func isExpiryNoted(_ session: SessionID, by now: Instant? = nil) -> Bool {
        guard let marked = sessions[session]?.expiryNotedAt else { return false }
        let noted = min(marked, now ?? marked)
        return refreshTokens.values.allSatisfy { token in
            token.session != session || token.lineage.child != nil || token.expiresAt <= noted
        }
    }
}

extension ExpiryPosition {
    fileprivate func precedes(_ token: RefreshToken) -> Bool {
        guard expiresAt == token.expiresAt else { return expiresAt < token.expiresAt }
        guard let key else { return true }
        return key.bytes.lexicographicallyPrecedes(token.key.bytes)
    }
}
