package import Kernel
package import Passkeys

/// The passkey store.
package struct SQLPasskeyStore: PasskeyStore {
    private let database: any SQLDatabase

    package init(_ database: any SQLDatabase) { self.database = database }

    package func insert(_ passkey: Passkey, in transaction: borrowing Transaction) throws -> Bool {
        try transaction.connection().change(
            """
            INSERT INTO passkeys (\(PasskeyColumns.selected))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (credential) DO NOTHING
            """,
            PasskeyColumns.values(of: passkey)
        ) == 1
    }

    package func find(_ credential: CredentialID, in transaction: borrowing Transaction) throws -> Passkey? {
        try transaction.connection().row(PasskeyColumns.self, where: "credential = ?", [.bytes(credential.bytes)])
    }

    package func find(_ credential: CredentialID) async throws -> Passkey? {
        try await database.reading { try find(credential, in: $0) }
    }

    package func find(_ id: PasskeyID, in transaction: borrowing Transaction) throws -> Passkey? {
        try transaction.connection().row(PasskeyColumns.self, where: "id = ?", [id.column])
    }

    package func list(of account: AccountID, limit: Int, in transaction: borrowing Transaction) throws -> [Passkey] {
        try transaction.connection().rows(
            PasskeyColumns.self,
            where: "account = ? ORDER BY created_at, id LIMIT ?",
            [account.column, limit.column]
        )
    }

    package func list(of account: AccountID, limit: Int) async throws -> [Passkey] {
        try await database.reading { try list(of: account, limit: limit, in: $0) }
    }

    package func noteUse(_ use: PasskeyUse, in transaction: borrowing Transaction) throws -> Bool {
        try transaction.connection().change(
            """
            UPDATE passkeys SET sign_count = ?, is_backed_up = ?, last_used_at = ? WHERE id = ? AND sign_count = ?
            """,
            [use.count.column, use.isBackedUp.column, use.at.column, use.id.column, use.countBefore.column]
        ) == 1
    }

    package func noteCloneSign(of id: PasskeyID, in transaction: borrowing Transaction) throws {
        try transaction.connection().change(
            "UPDATE passkeys SET clone_signs = clone_signs + 1 WHERE id = ?",
            [id.column]
        )
    }

    package func rename(
        _ id: PasskeyID,
        of account: AccountID,
        to label: String,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try transaction.connection().change(
            "UPDATE passkeys SET label = ? WHERE id = ? AND account = ?",
            [label.column, id.column, account.column]
        ) == 1
    }

    package func remove(_ id: PasskeyID, of account: AccountID, in transaction: borrowing Transaction) throws -> Bool {
        try transaction.connection().change(
            "DELETE FROM passkeys WHERE id = ? AND account = ?",
            [id.column, account.column]
        ) == 1
    }

    package func listAccounts(limit: Int) async throws -> [ListedPasskeys] {
        try await database.read { reader in
            let accounts = try reader.all(
                """
                SELECT id, COALESCE(
                    (SELECT CASE WHEN value LIKE '%@%' THEN 'user:' || value ELSE value END
                        FROM identifiers WHERE account = accounts.id AND kind = 'username'),
                    (SELECT MIN(value) FROM identifiers WHERE account = accounts.id AND kind = 'email'),
                    display_name) AS name
                FROM accounts WHERE EXISTS (SELECT 1 FROM passkeys WHERE account = accounts.id)
                ORDER BY created_at DESC, id LIMIT ?
                """,
                [limit.column]
            ) { (try $0.id("id", AccountID.self), try $0.text("name")) }
            return try accounts.map { account, name in
                let passkeys = try reader.rows(
                    PasskeyColumns.self,
                    where: "account = ? ORDER BY created_at, id",
                    [account.column]
                )
                return ListedPasskeys(name: name, passkeys: passkeys)
            }
        }
    }
}
