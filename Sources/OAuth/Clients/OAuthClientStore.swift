package import Kernel

/// A client of the store.
package struct StoredOAuthClient: Sendable, Equatable {
    package let client: OAuthClient
    package let createdAt: Instant

    package init(client: OAuthClient, createdAt: Instant) {
        self.client = client
        self.createdAt = createdAt
    }
}

/// What lets clients register themselves, so many and so long (RFC 7591 §1.2, initial access token).
package struct RegistrationTicket: Sendable, Equatable {
    /// SHA-256 of the token.
    package let digest: Digest256
    /// How many registrations are left.
    package let uses: Int
    package let createdAt: Instant
    package let expiresAt: Instant

    package init(digest: Digest256, uses: Int, createdAt: Instant, expiresAt: Instant) {
        self.digest = digest
        self.uses = uses
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}

/// Where clients are kept that are not of the config, and what lets more of them in.
package protocol OAuthClientStore: Sendable {
    /// Keeps a new client with its secrets.
    /// - Returns: `false` if there is one of that id, and nothing is kept.
    func insert(_ client: StoredOAuthClient, in transaction: borrowing Transaction) throws -> Bool

    func find(_ id: String, in transaction: borrowing Transaction) throws -> StoredOAuthClient?

    /// All of them, in the order of their ids.
    func all() async throws -> [StoredOAuthClient]

    func count(in transaction: borrowing Transaction) throws -> Int

    /// - Returns: `false` if there is no such client.
    func setEnabled(_ id: String, _ isEnabled: Bool, in transaction: borrowing Transaction) throws -> Bool

    /// Puts these in the place of all secrets that the client has.
    func setSecrets(_ id: String, _ secrets: [SecretHash], in transaction: borrowing Transaction) throws

    func insert(_ ticket: RegistrationTicket, in transaction: borrowing Transaction) throws

    /// Takes one registration off a ticket that is good at `now`.
    /// - Returns: `false` if there is none, or it is used up or has expired.
    func use(_ ticket: Digest256, at now: Instant, in transaction: borrowing Transaction) throws -> Bool

    /// Deletes tickets and secrets that expired before `instant`, the oldest first, `limit` rows at the most.
    /// - Returns: How many rows.
    func purge(expiredBefore instant: Instant, limit: Int, in transaction: borrowing Transaction) throws -> Int
}

/// What happens to clients, for the audit; the subject is a client's id, or the public name of a registration token.
package enum ClientAuditEvent: String, AuditEvent, CaseIterable {
    case added = "client.added"
    case registered = "client.registered"
    case secretRotated = "client.secret_rotated"
    case disabled = "client.disabled"
    case enabled = "client.enabled"
    /// A token was made by which clients register themselves.
    case registrationOpened = "client.registration_opened"
}
