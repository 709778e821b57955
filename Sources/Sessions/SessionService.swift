// Sessions: rows of sessions and refresh tokens, and browsers' sessions.
// Owns refresh families (`RefreshFamily` decides), revocation and its memory, and session cookies.
// Signs no token and checks no proof: SignIn does.
// Survives lost answers, reuse and theft of refresh tokens: a family ends when two callers hold one token.
// A revocation is in memory before it is durable, so that no token outlives it.

package import Kernel

/// A session that is to be opened, and its first refresh token.
package struct NewSession: Sendable {
    package let session: Session
    /// The key of its first refresh token: SHA-256 of the `jti`.
    package let refreshKey: Digest256
    package let refreshExpiresAt: Instant
    /// The face that opens the session, if a face does.
    package let face: FaceInForce?

    package init(session: Session, refreshKey: Digest256, refreshExpiresAt: Instant, face: FaceInForce? = nil) {
        self.session = session
        self.refreshKey = refreshKey
        self.refreshExpiresAt = refreshExpiresAt
        self.face = face
    }
}

/// The use cases of sessions.
package struct SessionService: Sendable {
    private let environment: Environment
    private let store: any SessionStore
    private let auditLog: any AuditLog
    package let revoked: RevokedSessions
    private let notices: any SessionEndNotices

    /// - Parameters:
    ///   - environment: The time.
    ///   - store: The sessions.
    ///   - auditLog: The log of what is opened and ended.
    ///   - revoked: Notes every revocation before it is durable.
    ///   - notices: Is told of every session that ends.
    package init(
        environment: Environment,
        store: any SessionStore,
        auditLog: any AuditLog,
        revoked: RevokedSessions,
        notices: any SessionEndNotices = SilentSessionEnds()
    ) {
        self.environment = environment
        self.store = store
        self.auditLog = auditLog
        self.revoked = revoked
        self.notices = notices
    }

    /// Opens a session and the first refresh row of its family, in the caller's unit of work.
    package func open(_ request: NewSession, in transaction: borrowing Transaction) throws {
        let token = RefreshToken(
            key: request.refreshKey,
            session: request.session.id,
            lineage: RefreshToken.Lineage(family: request.refreshKey, parent: nil, child: nil),
            issuedAt: request.session.createdAt,
            expiresAt: request.refreshExpiresAt,
            firstUsedAt: nil
        )
        try store.insert(request.session, token, face: request.face, in: transaction)
        revoked.see(request.session.createdAt)
    }

    /// Notes the time at which tokens of a session are issued.
    func noteIssuing(at now: Instant) { revoked.see(now) }

    /// Opens a session for a sign-in without an operation, whose row would record it, and records it in the audit log.
    package func signIn(_ request: NewSession, in transaction: borrowing Transaction) throws {
        try open(request, in: transaction)
        let (session, methods) = (request.session, request.session.authentication.methods)
        let record = AuditRecord(
            SessionAuditEvent.opened,
            of: session.id,
            account: session.account,
            detail: "\(session.client): \(methods.isEmpty ? "new" : methods.joined(separator: " "))"
        )
        try auditLog.append(record, in: transaction)
    }

    package func find(_ id: SessionID) async throws -> Session? { try await store.find(id) }

    package func find(_ id: SessionID, in transaction: borrowing Transaction) throws -> Session? {
        try store.find(id, in: transaction)
    }

    /// Returns those of the sessions that still get tokens.
    package func active(among sessions: Set<SessionID>) async throws -> Set<SessionID> {
        guard !sessions.isEmpty else { return [] }
        return try await store.active(among: sessions, at: environment.now())
    }

    /// Whether the session is the account's and not revoked, in the caller's unit of work.
    package func isOpen(
        _ session: SessionID,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try store.isOpen(session, of: account, in: transaction)
    }

    /// Whether the session of a verified access token is still the account's.
    ///
    /// The database is read only if the session may be revoked.
    package func isOpen(_ session: SessionID, of account: AccountID, issuedAt: Instant) async throws -> Bool {
        guard revoked.mayInclude(session, of: account, issuedAt: issuedAt) else { return true }
        guard let found = try await store.find(session) else { return false }
        return found.account == account && found.revocation == nil
    }

    /// Whether the refresh token of that key is unused, in the caller's unit of work: its row exists, and it was never
    /// presented.
    package func isUnused(_ key: Digest256, in transaction: borrowing Transaction) throws -> Bool {
        guard let family = try store.family(of: key, in: transaction) else { return false }
        return family.presented.firstUsedAt == nil
    }

    /// Returns the account's sessions, the newest first.
    package func list(of account: AccountID, limit: Int) async throws -> [ListedSession] {
        try await store.list(of: account, limit: limit)
    }

    /// Returns the account's sessions with that client that are not revoked, in the caller's unit of work.
    package func open(
        of account: AccountID,
        client: String,
        in transaction: borrowing Transaction
    ) throws -> [SessionID] { try store.open(of: account, client: client, in: transaction) }

    /// Revokes one session of the account with its refresh family, in the caller's unit of work.
    ///
    /// - Returns: `nil` if the session is another account's, already revoked or missing.
    package func revoke(
        _ session: SessionID,
        of account: AccountID,
        because reason: RevocationReason,
        in transaction: borrowing Transaction
    ) throws -> RevokedSession? {
        let now = environment.now()
        revoked.note(session, at: now)
        guard let ended = try store.revoke(session, of: account, because: reason, at: now, in: transaction) else {
            return nil
        }
        try record(.revoked, of: session, account, because: reason, in: transaction)
        try tell([ended], of: account, because: reason, in: transaction)
        return ended
    }

    /// Revokes every session of the account but `kept`, in the caller's unit of work; returns their number.
    package func revokeAll(
        of account: AccountID,
        except kept: SessionID? = nil,
        because reason: RevocationReason,
        in transaction: borrowing Transaction
    ) throws -> Int {
        let now = environment.now()
        revoked.noteAll(of: account, at: now)
        let ended = try store.revokeAll(of: account, except: kept, because: reason, at: now, in: transaction)
        guard !ended.isEmpty else { return 0 }
        try record(.allRevoked, of: account, account, because: reason, in: transaction)
        try tell(ended, of: account, because: reason, in: transaction)
        return ended.count
    }

    /// Revokes those of the sessions that are the account's and open, in the caller's unit of work; returns their
    /// number.
    @discardableResult
    package func revoke(
        _ sessions: Set<SessionID>,
        of account: AccountID,
        because reason: RevocationReason,
        in transaction: borrowing Transaction
    ) throws -> Int {
        let now = environment.now()
        let ended = try store.revoke(sessions, of: account, because: reason, at: now, in: transaction)
        // Sorted, so that the order of the audit entries is stable.
        for session in ended.map(\.id).sorted(by: { $0.description < $1.description }) {
            revoked.note(session, at: now)
            try record(.revoked, of: session, account, because: reason, in: transaction)
        }
        try tell(ended, of: account, because: reason, in: transaction)
        return ended.count
    }

    /// Tells of the sessions that ended, but for those that had expired and are noted.
    private func tell(
        _ ended: [RevokedSession],
        of account: AccountID,
        because reason: RevocationReason,
        in transaction: borrowing Transaction
    ) throws {
        let untold = ended.filter { !$0.isExpiryNoted }
        guard !untold.isEmpty else { return }
        try notices.note(untold, of: account, because: reason, in: transaction)
    }

    private func record(
        _ event: SessionAuditEvent,
        of subject: any EntityID,
        _ account: AccountID,
        because reason: RevocationReason,
        in transaction: borrowing Transaction
    ) throws {
        let record = AuditRecord(event, of: subject, account: account, detail: reason.rawValue)
        try auditLog.append(record, in: transaction)
    }
}
