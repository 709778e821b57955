package import Kernel
package import OAuth

/// The store of OAuth clients.
package struct SQLOAuthClientStore: OAuthClientStore {
    private let database: any SQLDatabase

    package init(_ database: any SQLDatabase) { self.database = database }

    package func insert(_ stored: StoredOAuthClient, in transaction: borrowing Transaction) throws -> Bool {
        let writer = try transaction.connection()
        let inserted = try writer.change(
            """
            INSERT INTO oauth_clients (\(OAuthClientColumns.selected))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO NOTHING
            """,
            OAuthClientColumns.values(of: stored)
        )
        guard inserted == 1 else { return false }
        switch stored.client.authentication {
        case .secret(let secrets): try Self.insert(secrets, of: stored.client.id, writer)
        case .none, .privateKeyJWT: break
        }
        return true
    }

    package func find(_ id: String, in transaction: borrowing Transaction) throws -> StoredOAuthClient? {
        let writer = try transaction.connection()
        let secrets = try Self.secrets(of: id, writer)
        return try writer.first(
            "SELECT \(OAuthClientColumns.selected) FROM oauth_clients WHERE id = ?",
            [id.column]
        ) { try OAuthClientColumns.read(&$0) { _ in secrets } }
    }

    package func all() async throws -> [StoredOAuthClient] {
        try await database.read { reader in
            let rows = try reader.all(
                "SELECT client, digest, expires_at FROM oauth_client_secrets ORDER BY \(Self.secretOrder)"
            ) { (client: try $0.text("client"), secret: try Self.secret(&$0)) }
            let secrets = Dictionary(grouping: rows, by: \.client)
            return try reader.all("SELECT \(OAuthClientColumns.selected) FROM oauth_clients ORDER BY id") {
                try OAuthClientColumns.read(&$0) { id in (secrets[id] ?? []).map(\.secret) }
            }
        }
    }

    package func count(in transaction: borrowing Transaction) throws -> Int {
        try transaction.connection().count("SELECT COUNT(*) AS count FROM oauth_clients")
    }

    package func setEnabled(_ id: String, _ isEnabled: Bool, in transaction: borrowing Transaction) throws -> Bool {
        try transaction.connection().change(
            "UPDATE oauth_clients SET is_enabled = ? WHERE id = ?",
            [isEnabled.column, id.column]
        ) == 1
    }

    package func replace(_ client: OAuthClient, in transaction: borrowing Transaction) throws {
        let writer = try transaction.connection()
        let created = try writer.first("SELECT created_at FROM oauth_clients WHERE id = ?", [client.id.column]) {
            try $0.instant("created_at")
        }
        guard let created else { return }
        try writer.change(
            """
            UPDATE oauth_clients SET (\(OAuthClientColumns.selected))
                = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            WHERE id = ?
            """,
            OAuthClientColumns.values(of: StoredOAuthClient(client: client, createdAt: created)) + [client.id.column]
        )
    }

    package func remove(_ id: String, in transaction: borrowing Transaction) throws -> Bool {
        try transaction.connection().change("DELETE FROM oauth_clients WHERE id = ?", [id.column]) == 1
    }

    package func setSecrets(_ id: String, _ secrets: [SecretHash], in transaction: borrowing Transaction) throws {
        let writer = try transaction.connection()
        try writer.change("DELETE FROM oauth_client_secrets WHERE client = ?", [id.column])
        try Self.insert(secrets, of: id, writer)
    }

    package func insert(_ ticket: RegistrationTicket, in transaction: borrowing Transaction) throws {
        try transaction.connection().change(
            """
            INSERT INTO oauth_registration_tickets (digest, uses, created_at, expires_at) VALUES (?, ?, ?, ?)
            """,
            [ticket.digest.column, ticket.uses.column, ticket.createdAt.column, ticket.expiresAt.column]
        )
    }

    package func use(_ ticket: Digest256, at now: Instant, in transaction: borrowing Transaction) throws -> Bool {
        try transaction.connection().change(
            """
            UPDATE oauth_registration_tickets SET uses = uses - 1 WHERE digest = ? AND uses > 0 AND expires_at > ?
            """,
            [ticket.column, now.column]
        ) == 1
    }

    /// The current secret first, then those that expire last.
    private static let secretOrder = "client, expires_at IS NOT NULL, expires_at DESC, digest"

    private static func insert(_ secrets: [SecretHash], of client: String, _ writer: SQLConnection) throws {
        for secret in secrets {
            try writer.change(
                "INSERT INTO oauth_client_secrets (client, digest, expires_at) VALUES (?, ?, ?)",
                [client.column, secret.digest.column, secret.expiresAt.column(\.column)]
            )
        }
    }

    private static func secrets(of client: String, _ writer: SQLConnection) throws -> [SecretHash] {
        try writer.all(
            "SELECT digest, expires_at FROM oauth_client_secrets WHERE client = ? ORDER BY \(secretOrder)",
            [client.column],
            read: secret
        )
    }

    private static func secret(_ columns: inout ColumnReader) throws -> SecretHash {
        SecretHash(try columns.digest("digest"), expiresAt: try columns.optionalInstant("expires_at"))
    }
}
