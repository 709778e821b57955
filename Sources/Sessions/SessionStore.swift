package import Kernel

/// A session that was revoked.
package struct RevokedSession: Sendable, Equatable {
    package let id: SessionID
    package let client: String
    package let device: DeviceID?
    /// Whether the session had expired before, and its client was told then.
    package let isExpiryNoted: Bool

    package init(id: SessionID, client: String, device: DeviceID?, isExpiryNoted: Bool = false) {
        self.id = id
        self.client = client
        self.device = device
        self.isExpiryNoted = isExpiryNoted
    }
}

/// Port: the store of sessions.
package protocol SessionStore: RefreshTokenStore, SessionExpiryStore {
    /// Adds a session with its first refresh token, and links to the sessions in which the means that open it were set
    /// up.
    ///
    /// The session keeps the mark of the face that opens it.
    func insert(
        _ session: Session,
        _ token: RefreshToken,
        face: FaceInForce?,
        in transaction: borrowing Transaction
    ) throws
    func find(_ id: SessionID) async throws -> Session?
    func find(_ id: SessionID, in transaction: borrowing Transaction) throws -> Session?

    /// Returns the account's sessions, the newest first, each with the time at which its last refresh token was issued.
    func list(of account: AccountID, limit: Int) async throws -> [ListedSession]

    /// Returns the account's sessions with that client that are not revoked.
    func open(
        of account: AccountID,
        client: String,
        in transaction: borrowing Transaction
    ) throws -> [SessionID]

    /// Revokes every session of the account that is not revoked yet, but not `kept`; returns them.
    func revokeAll(
        of account: AccountID,
        except kept: SessionID?,
        because reason: RevocationReason,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> [RevokedSession]

    /// Revokes those of the sessions that are the account's and not revoked yet; returns them.
    func revoke(
        _ sessions: Set<SessionID>,
        of account: AccountID,
        because reason: RevocationReason,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> [RevokedSession]

    /// Returns the sessions that are not revoked and have a refresh row that expires after `now`.
    func active(among sessions: Set<SessionID>, at now: Instant) async throws -> Set<SessionID>

    /// Returns the revocations after `instant`, the latest first.
    func revoked(after instant: Instant, limit: Int) async throws -> [Revocation]

    /// Whether the session is the account's and not revoked, within a unit of work.
    func isOpen(_ session: SessionID, of account: AccountID, in transaction: borrowing Transaction) throws -> Bool

    /// Revokes a session of the account.
    ///
    /// - Returns: The revoked session, or `nil` if it is another account's, already revoked or missing.
    func revoke(
        _ session: SessionID,
        of account: AccountID,
        because reason: RevocationReason,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> RevokedSession?
}

/// A session as it is listed for its owner.
package struct ListedSession: Sendable, Equatable {
    package let session: Session
    /// The time of the last issued refresh token.
    package let refreshedAt: Instant
    /// The expiry of the session's last refresh token.
    package let expiresAt: Instant

    package init(session: Session, refreshedAt: Instant, expiresAt: Instant) {
        self.session = session
        self.refreshedAt = refreshedAt
        self.expiresAt = expiresAt
    }
}

/// The revocation of a session, with its time.
package struct Revocation: Sendable, Equatable {
    package let session: SessionID
    package let at: Instant

    package init(session: SessionID, at: Instant) {
        self.session = session
        self.at = at
    }
}

/// The audit events of sessions; the subject is the session.
package enum SessionAuditEvent: String, AuditEvent {
    /// A session was opened without an operation.
    ///
    /// Detail: The client, a colon, and the methods of the sign-in; `new` for a registration.
    case opened = "session.opened"
    /// A session was ended.
    ///
    /// Detail: A revocation reason.
    case revoked = "session.revoked"
    /// All sessions of an account were ended; the subject is the account.
    ///
    /// Detail: A revocation reason.
    case allRevoked = "sessions.revoked"
}
