package import Kernel

/// One sign-in that lasts: what tokens name by `sid`.
package struct Session: Sendable, Equatable {
    package let id: SessionID
    package let account: AccountID
    package let client: String
    /// The linked device, where there is one.
    package let device: DeviceID?
    package let createdAt: Instant
    /// When the person proved who they are.
    package let authenticatedAt: Instant
    /// How (RFC 8176 values): `face`.
    package let methods: [String]
    package let revokedAt: Instant?

    package init(
        id: SessionID,
        account: AccountID,
        client: String,
        device: DeviceID?,
        createdAt: Instant,
        authenticatedAt: Instant,
        methods: [String],
        revokedAt: Instant?
    ) {
        self.id = id
        self.account = account
        self.client = client
        self.device = device
        self.createdAt = createdAt
        self.authenticatedAt = authenticatedAt
        self.methods = methods
        self.revokedAt = revokedAt
    }
}

/// One refresh token's row.
///
/// The token itself is kept nowhere: the row is found by SHA-256 of its `jti`.
package struct RefreshToken: Sendable, Equatable {
    /// SHA-256 of the `jti`.
    package let key: Digest256
    package let session: SessionID
    /// The first token of the line of rotations that this one is of.
    package let family: Digest256
    package let parent: Digest256?
    package let child: Digest256?
    package let issuedAt: Instant
    package let expiresAt: Instant
    package let firstUsedAt: Instant?

    package init(
        key: Digest256,
        session: SessionID,
        family: Digest256,
        parent: Digest256?,
        child: Digest256?,
        issuedAt: Instant,
        expiresAt: Instant,
        firstUsedAt: Instant?
    ) {
        self.key = key
        self.session = session
        self.family = family
        self.parent = parent
        self.child = child
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.firstUsedAt = firstUsedAt
    }
}

/// A session that was revoked.
package struct RevokedSession: Sendable, Equatable {
    package let device: DeviceID?

    package init(device: DeviceID?) { self.device = device }
}

/// Port: where sessions are kept.
package protocol SessionStore: Sendable {
    func insert(_ session: Session, _ token: RefreshToken, in transaction: borrowing Transaction) throws
    func find(_ id: SessionID) async throws -> Session?

    /// Revokes every session of the account that is not revoked yet; returns how many.
    func revokeAll(of account: AccountID, at now: Instant, in transaction: borrowing Transaction) throws -> Int

    /// Those of the sessions that are not revoked and have a refresh row that expires after `now`.
    func standing(among sessions: Set<SessionID>, at now: Instant) async throws -> Set<SessionID>

    /// Whether the session is the account's and not revoked, within a unit of work.
    func isOpen(_ session: SessionID, of account: AccountID, in transaction: borrowing Transaction) throws -> Bool

    /// Revokes a session of the account.
    ///
    /// Returns what was revoked, or `nil` if it is another's, revoked already, or not there.
    func revoke(
        _ session: SessionID,
        of account: AccountID,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> RevokedSession?

    /// Deletes about `limit` rows of what was over before `instant`: refresh rows that expired, sessions whose last
    /// refresh row that was, and revoked sessions with all their refresh rows.
    ///
    /// Returns how many rows went; fewer than `limit` means that nothing is left.
    func purge(endedBefore instant: Instant, limit: Int, in transaction: borrowing Transaction) throws -> Int
}
