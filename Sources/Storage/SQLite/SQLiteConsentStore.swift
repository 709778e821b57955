import GRDB
package import Kernel
package import OAuth

/// What people have agreed that clients get, in SQLite.
package struct SQLiteConsentStore: ConsentStore {
    private let database: SQLiteDatabase

    package init(_ database: SQLiteDatabase) { self.database = database }

    package func find(_ account: AccountID, client: String) async throws -> Consent? {
        try await database.read { reader in try reader.consent(of: account, to: client) }
    }

    package func find(
        _ account: AccountID,
        client: String,
        in transaction: borrowing Transaction
    ) throws -> Consent? {
        try transaction.database().consent(of: account, to: client)
    }

    package func put(_ consent: Consent, in transaction: borrowing Transaction) throws {
        try transaction.database().change(
            """
            INSERT INTO oauth_consents (account, client, scopes, resources, granted_at, expires_at)
            VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (account, client) DO UPDATE SET scopes = excluded.scopes, resources = excluded.resources,
                granted_at = excluded.granted_at, expires_at = excluded.expires_at
            """,
            [
                consent.account.column, consent.clientID.column, consent.scopes.text.column,
                consent.resources.sorted().spaced.column, consent.grantedAt.column, consent.expiresAt.column,
            ]
        )
    }

    package func remove(_ account: AccountID, client: String, in transaction: borrowing Transaction) throws {
        try transaction.database().change(
            "DELETE FROM oauth_consents WHERE account = ? AND client = ?",
            [account.column, client.column]
        )
    }

    package func removeAll(of client: String, in transaction: borrowing Transaction) throws {
        try transaction.database().change("DELETE FROM oauth_consents WHERE client = ?", [client.column])
    }

    package func purge(
        expiredBefore instant: Instant,
        limit: Int,
        in transaction: borrowing Transaction
    ) throws -> Int {
        try transaction.database().purge(
            "oauth_consents",
            by: "account, client",
            where: "expires_at",
            before: instant,
            limit
        )
    }
}

extension Database {
    fileprivate func consent(of account: AccountID, to client: String) throws -> Consent? {
        try first(
            """
            SELECT account, client, scopes, resources, granted_at, expires_at FROM oauth_consents
            WHERE account = ? AND client = ?
            """,
            [account.column, client.column]
        ) { columns in
            Consent(
                account: try columns.id(),
                clientID: try columns.text(),
                scopes: ScopeSet(Set(try columns.text().words)),
                resources: Set(try columns.text().words),
                grantedAt: try columns.instant(),
                expiresAt: try columns.instant()
            )
        }
    }
}
