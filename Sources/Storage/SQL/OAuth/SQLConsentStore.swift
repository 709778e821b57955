package import Kernel
package import OAuth

/// The store of people's consents to clients.
package struct SQLConsentStore: ConsentStore {
    package init() {}

    package func find(_ account: AccountID, client: String, in transaction: borrowing Transaction) throws -> [Consent] {
        try transaction.connection().all(
            """
            SELECT account, client, origin, scopes, resources, granted_at, expires_at FROM oauth_consents
            WHERE account = ? AND client = ?
            """,
            [account.column, client.column]
        ) { try Self.read(&$0) }
    }

    package func list(of account: AccountID, limit: Int, in transaction: borrowing Transaction) throws -> [Consent] {
        try transaction.connection().all(
            """
            SELECT account, client, origin, scopes, resources, granted_at, expires_at FROM oauth_consents
            WHERE account = ? ORDER BY client, origin LIMIT ?
            """,
            [account.column, limit.column]
        ) { try Self.read(&$0) }
    }

    private static func read(_ columns: inout ColumnReader) throws -> Consent {
        Consent(
            account: try columns.id("account"),
            clientID: try columns.text("client"),
            origin: try columns.idOrEmpty("origin"),
            scopes: ScopeSet(Set(try columns.words("scopes"))),
            resources: Set(try columns.words("resources")),
            grantedAt: try columns.instant("granted_at"),
            expiresAt: try columns.instant("expires_at")
        )
    }

    package func put(_ consent: Consent, in transaction: borrowing Transaction) throws {
        let writer = try transaction.connection()
        try writer.change(
            """
            INSERT INTO oauth_consents (account, client, origin, scopes, resources, granted_at, expires_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (account, client, origin) DO UPDATE SET scopes = excluded.scopes, resources = excluded.resources,
                granted_at = excluded.granted_at, expires_at = excluded.expires_at
            """,
            [
                consent.account.column, consent.clientID.column, consent.origin.columnOrEmpty,
                consent.scopes.text.column, consent.resources.sorted().spaced.column, consent.grantedAt.column,
                consent.expiresAt.column,
            ]
        )
        try writer.change(
            """
            DELETE FROM oauth_consents WHERE account = ?1 AND client = ?2 AND origin NOT IN (
                SELECT origin FROM oauth_consents WHERE account = ?1 AND client = ?2
                ORDER BY granted_at DESC, origin = ?3 DESC LIMIT ?4
            )
            """,
            [
                consent.account.column, consent.clientID.column, consent.origin.columnOrEmpty,
                Self.mostKept.column,
            ]
        )
    }

    package func remove(_ account: AccountID, client: String, in transaction: borrowing Transaction) throws {
        try transaction.connection().change(
            "DELETE FROM oauth_consents WHERE account = ? AND client = ?",
            [account.column, client.column]
        )
    }

    package func removeAll(of client: String, in transaction: borrowing Transaction) throws {
        try transaction.connection().change("DELETE FROM oauth_consents WHERE client = ?", [client.column])
    }
}
