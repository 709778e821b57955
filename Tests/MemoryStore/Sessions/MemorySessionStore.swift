package import Kernel
package import Sessions

/// The sessions and refresh rows of the in-memory store.
package struct MemorySessionStore: SessionStore {
    let connection: MemoryConnection

    package func insert(
        _ session: Session,
        _ token: RefreshToken,
        face: FaceInForce?,
        in transaction: borrowing Transaction
    ) throws {
        let draft = try transaction.draft()
        guard draft.tables.identity.sessions[session.id] == nil, draft.tables.identity.refreshTokens[token.key] == nil
        else {
            throw StoreError.conflict(cause: "there is such a session or refresh token")
        }
        draft.tables.identity.sessions[session.id] = MemorySignIn(session: session, face: face?.mark)
        draft.tables.identity.refreshTokens[token.key] = token
        draft.tables.identity.linkToMeans(session)
        if let origin = face?.origin { draft.tables.identity.link(session.id, to: origin, byMeans: true) }
    }

    package func find(_ id: SessionID) async throws -> Session? {
        try await connection.read { $0.identity.sessions[id]?.session }
    }

    package func find(_ id: SessionID, in transaction: borrowing Transaction) throws -> Session? {
        try transaction.draft().tables.identity.sessions[id]?.session
    }

    package func list(of account: AccountID, limit: Int) async throws -> [ListedSession] {
        try await connection.read { tables in
            let own = tables.identity.sessions.values.map(\.session).filter { $0.account == account }
            let newest = own.sorted { ($1.createdAt, $0.id.bits) < ($0.createdAt, $1.id.bits) }.prefix(limit)
            return newest.map { session in
                let tokens = tables.identity.refreshTokens.values.filter { $0.session == session.id }
                return ListedSession(
                    session: session,
                    refreshedAt: tokens.map(\.issuedAt).max() ?? session.createdAt,
                    expiresAt: tokens.map(\.expiresAt).max() ?? session.createdAt
                )
            }
        }
    }

    package func open(
        of account: AccountID,
        client: String,
        in transaction: borrowing Transaction
    ) throws -> [SessionID] {
        let own = try transaction.draft().tables.identity.sessions.values.map(\.session).filter {
            $0.account == account && $0.client == client && $0.revocation == nil
        }
        return own.map(\.id).sorted { $0.bits < $1.bits }
    }

    package func family(of key: Digest256, in transaction: borrowing Transaction) throws -> RefreshFamily? {
        let identity = try transaction.draft().tables.identity
        guard let token = identity.refreshTokens[key], let session = identity.sessions[token.session]?.session else {
            return nil
        }
        return RefreshFamily(
            session: session,
            presented: token,
            child: token.lineage.child.flatMap { identity.refreshTokens[$0] }
        )
    }

    package func rotate(
        into successor: RefreshToken,
        parentEndsAt: Instant,
        isProven: Bool,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        let draft = try transaction.draft()
        guard let key = successor.lineage.parent, let parent = draft.tables.identity.refreshTokens[key],
            parent.lineage.child == nil
        else {
            return false
        }
        draft.tables.identity.refreshTokens[key] = parent.changed(
            child: successor.key,
            firstUsedAt: parent.firstUsedAt ?? successor.issuedAt,
            expiresAt: parentEndsAt,
            isRotationProven: isProven
        )
        draft.tables.identity.refreshTokens[successor.key] = successor
        return true
    }

    package func markUsed(_ key: Digest256, at now: Instant, in transaction: borrowing Transaction) throws {
        let draft = try transaction.draft()
        guard let token = draft.tables.identity.refreshTokens[key], token.firstUsedAt == nil else { return }
        draft.tables.identity.refreshTokens[key] = token.changed(
            child: token.lineage.child,
            firstUsedAt: now,
            expiresAt: token.expiresAt,
            isRotationProven: token.isRotationProven
        )
    }

    package func active(among sessions: Set<SessionID>, at now: Instant) async throws -> Set<SessionID> {
        try await connection.read { tables in
            let living = Set(tables.identity.refreshTokens.values.filter { $0.expiresAt > now }.map(\.session))
            return sessions.filter { tables.identity.sessions[$0]?.session.isOpen == true && living.contains($0) }
        }
    }

    package func revoked(after instant: Instant, limit: Int) async throws -> [Revocation] {
        let all = try await connection.read { tables in
            tables.identity.sessions.values.compactMap { row in
                row.session.revocation.map { Revocation(session: row.session.id, at: $0.at) }
            }
        }
        return Array(all.filter { $0.at > instant }.sorted { $0.at > $1.at }.prefix(limit))
    }

    package func isOpen(
        _ session: SessionID,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        let found = try transaction.draft().tables.identity.sessions[session]?.session
        return found?.account == account && found?.isOpen == true
    }

    package func revoke(
        _ session: SessionID,
        of account: AccountID,
        because reason: RevocationReason,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> RevokedSession? {
        let draft = try transaction.draft()
        guard let found = draft.tables.identity.sessions[session]?.session, found.account == account, found.isOpen
        else { return nil }
        draft.tables.identity.sessions[session]?.session = found.revoked(at: now, because: reason)
        return RevokedSession(found, isExpiryNoted: draft.tables.identity.isExpiryNoted(session, by: now))
    }

    package func revokeAll(
        of account: AccountID,
        except kept: SessionID?,
        because reason: RevocationReason,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> [RevokedSession] {
        let draft = try transaction.draft()
        let open = draft.tables.identity.sessions.values.map(\.session).filter {
            $0.account == account && $0.isOpen && $0.id != kept
        }
        for session in open {
            draft.tables.identity.sessions[session.id]?.session = session.revoked(at: now, because: reason)
        }
        return open.map {
            RevokedSession($0, isExpiryNoted: draft.tables.identity.isExpiryNoted($0.id, by: now))
        }
    }

    package func revoke(
        _ sessions: Set<SessionID>,
        of account: AccountID,
        because reason: RevocationReason,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> [RevokedSession] {
        let draft = try transaction.draft()
        let open = draft.tables.identity.sessions.values.map(\.session).filter {
            sessions.contains($0.id) && $0.account == account && $0.isOpen
        }
        for session in open {
            draft.tables.identity.sessions[session.id]?.session = session.revoked(at: now, because: reason)
        }
        return open.map {
            RevokedSession($0, isExpiryNoted: draft.tables.identity.isExpiryNoted($0.id, by: now))
        }
    }
}

extension RevokedSession {
    fileprivate init(_ session: Session, isExpiryNoted: Bool) {
        self.init(
            id: session.id,
            client: session.client,
            device: session.linkedDevice?.id,
            isExpiryNoted: isExpiryNoted
        )
    }
}

extension Session {
    fileprivate var isOpen: Bool { revocation == nil }

    fileprivate func revoked(at now: Instant, because reason: RevocationReason) -> Session {
        Session(
            id: id,
            account: account,
            client: client,
            linkedDevice: linkedDevice,
            createdAt: createdAt,
            authentication: authentication,
            tokenBinding: tokenBinding,
            revocation: Session.Revocation(at: now, reason: reason)
        )
    }
}

extension RefreshToken {
    fileprivate func changed(
        child: Digest256?,
        firstUsedAt: Instant?,
        expiresAt: Instant,
        isRotationProven: Bool
    ) -> RefreshToken {
        RefreshToken(
            key: key,
            session: session,
            lineage: RefreshToken.Lineage(family: lineage.family, parent: lineage.parent, child: child),
            issuedAt: issuedAt,
            expiresAt: expiresAt,
            firstUsedAt: firstUsedAt,
            isRotationProven: isRotationProven
        )
    }
}

// Sessions alone: a store and its units of work in one.
extension MemorySessionStore: UnitOfWork {
    package init() { connection = .alone() }

    package var tokens: [RefreshToken] { Array(connection.disk.tables.identity.refreshTokens.values) }

    /// The next unit fails before it is kept.
    package func failNext() { connection.disk.failNextUnit(.beforeCommit) }

    /// Adds a row behind the program's back.
    package func add(_ token: RefreshToken) { connection.disk.change { $0.identity.refreshTokens[token.key] = token } }

    package func run<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T {
        try await connection.run(body)
    }

    /// Deletes the session, and what goes with it.
    package func remove(_ session: SessionID, in transaction: borrowing Transaction) throws {
        try transaction.draft().tables.dropSession(session)
    }
}
