package import Kernel
package import Sessions

/// The sessions of browsers in the in-memory store.
package struct MemoryWebSessionStore: WebSessionStore {
    let connection: MemoryConnection

    package func insert(_ session: WebSession, in transaction: borrowing Transaction) throws {
        let draft = try transaction.draft()
        guard draft.tables.identity.sessions[session.session] != nil,
            draft.tables.identity.browsers.updateValue(session, forKey: session.cookie) == nil
        else { throw StoreError.conflict(cause: "there is such a cookie, or no such session") }
    }

    package func find(_ cookie: Digest256) async throws -> WebSession? {
        try await connection.read { $0.identity.browsers[cookie] }
    }

    package func lastSeen(of sessions: Set<SessionID>) async throws -> [SessionID: Instant] {
        try await connection.read { tables in
            let own = tables.identity.browsers.values.filter { sessions.contains($0.session) }
            return Dictionary(own.map { ($0.session, $0.seenAt) }) { max($0, $1) }
        }
    }

    package func markSeen(_ cookie: Digest256, at now: Instant, in transaction: borrowing Transaction) throws {
        let draft = try transaction.draft()
        guard let held = draft.tables.identity.browsers[cookie] else { return }
        draft.tables.identity.browsers[cookie] = WebSession(
            cookie: held.cookie,
            session: held.session,
            isAlone: held.isAlone,
            createdAt: held.createdAt,
            seenAt: max(held.seenAt, now),
            expiresAt: held.expiresAt
        )
    }

    package func remove(_ cookie: Digest256, in transaction: borrowing Transaction) throws -> WebSession? {
        try transaction.draft().tables.identity.browsers.removeValue(forKey: cookie)
    }

    package func removeAll(of session: SessionID, in transaction: borrowing Transaction) throws {
        let draft = try transaction.draft()
        draft.tables.identity.browsers = draft.tables.identity.browsers.filter { $0.value.session != session }
    }
}
