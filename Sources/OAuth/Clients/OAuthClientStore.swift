package import Kernel

/// A client in the database.
package struct StoredOAuthClient: Sendable, Equatable {
    package let client: OAuthClient
    package let createdAt: Instant

    package init(client: OAuthClient, createdAt: Instant) {
        self.client = client
        self.createdAt = createdAt
    }
}

/// A ticket with which a number of clients can register themselves (RFC 7591 §1.2, initial access token).
package struct RegistrationTicket: Sendable, Equatable {
    /// SHA-256 of the ticket's token.
    package let digest: Digest256
    /// The number of remaining registrations.
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

/// Port: stores the clients that are not in the config, and the registration tickets.
package protocol OAuthClientStore: Sendable {
    /// Stores a new client with its secrets.
    /// - Returns: `false`, without a change, if the id is taken.
    func insert(_ stored: StoredOAuthClient, in transaction: borrowing Transaction) throws -> Bool

    func find(_ id: String, in transaction: borrowing Transaction) throws -> StoredOAuthClient?

    /// Returns all clients, in the order of their ids.
    func all() async throws -> [StoredOAuthClient]

    func count(in transaction: borrowing Transaction) throws -> Int

    /// - Returns: `false` if there is no such client.
    func setEnabled(_ id: String, _ isEnabled: Bool, in transaction: borrowing Transaction) throws -> Bool

    /// Replaces the client, except for its secrets and the time at which it was added. Does nothing if there is none.
    func replace(_ client: OAuthClient, in transaction: borrowing Transaction) throws

    /// Deletes the client with its secrets.
    /// - Returns: `false` if there is no such client.
    func remove(_ id: String, in transaction: borrowing Transaction) throws -> Bool

    /// Replaces all secrets of the client.
    func setSecrets(_ id: String, _ secrets: [SecretHash], in transaction: borrowing Transaction) throws

    func insert(_ ticket: RegistrationTicket, in transaction: borrowing Transaction) throws

    /// Uses one registration of a ticket that is valid at `now`.
    /// - Returns: `false` if the ticket is unknown, used up or expired.
    func use(_ ticket: Digest256, at now: Instant, in transaction: borrowing Transaction) throws -> Bool
}

/// The audit events of OAuth clients; the subject is the client's id.
package enum ClientAuditEvent: String, AuditEvent, CaseIterable {
    /// An operator added a client.
    case added = "client.added"
    /// A client registered itself.
    case registered = "client.registered"
    /// A client got a new secret.
    case secretRotated = "client.secret_rotated"
    /// An operator disabled a client.
    case disabled = "client.disabled"
    /// An operator changed a client.
    ///
    /// Detail: The names of what changed.
    case changed = "client.changed"
    /// An operator removed a client.
    case removed = "client.removed"
    /// An operator enabled a client again.
    case enabled = "client.enabled"
    /// An operator made a token by which clients register themselves; the subject is `registration`.
    ///
    /// Detail: `uses` and how many registrations it is good for.
    case registrationOpened = "client.registration_opened"
}
