package import Kernel

/// A session that expired.
package struct ExpiredSession: Sendable, Equatable {
    package let id: SessionID
    package let account: AccountID
    package let client: String

    package init(id: SessionID, account: AccountID, client: String) {
        self.id = id
        self.account = account
        self.client = client
    }
}

/// A refresh token that expired, in the order of their expiry.
package struct ExpiredToken: Sendable, Equatable {
    package let position: ExpiryPosition
    package let client: String
    /// The session that may have ended with the token; `nil` if it goes on, was revoked, or is noted already.
    package let session: SessionID?

    package init(position: ExpiryPosition, client: String, session: SessionID?) {
        self.position = position
        self.client = client
        self.session = session
    }
}

/// The place behind which a page of expired tokens begins: every token that expired later, or at that time with a
/// greater key.
package struct ExpiryPosition: Sendable, Equatable {
    package let expiresAt: Instant
    /// `nil`: before every token of that time.
    package let key: Digest256?

    package init(expiresAt: Instant, key: Digest256? = nil) {
        self.expiresAt = expiresAt
        self.key = key
    }
}

/// Port: finds the sessions that expired, and keeps which are noted.
package protocol SessionExpiryStore: Sendable {
    /// Returns the tokens that expired up to `end`, the first first, also those that have a successor.
    func expired(
        after position: ExpiryPosition,
        until end: Instant,
        limit: Int,
        in transaction: borrowing Transaction
    ) throws -> [ExpiredToken]

    /// Notes that a session expired.
    ///
    /// - Returns: The session; `nil` if a token of it can be refreshed after `end`, or if it was revoked or noted before.
    func noteExpiry(
        of session: SessionID,
        by end: Instant,
        in transaction: borrowing Transaction
    ) throws -> ExpiredSession?

    /// Returns the time up to which expired sessions are noted; `nil` before the first time.
    func expiriesNotedUntil(in transaction: borrowing Transaction) throws -> Instant?

    /// Keeps the time up to which expired sessions are noted.
    func keepExpiriesNoted(until end: Instant, in transaction: borrowing Transaction) throws
}
