package import Accounts
package import Kernel

// Changes of an existing account.
extension SQLAccountStore {
    package func setDisplayName(_ name: String, of id: AccountID, in transaction: borrowing Transaction) throws {
        try transaction.connection().change(
            "UPDATE accounts SET display_name = ?, folded_name = ? WHERE id = ?",
            [name.column, AccountSearch.folded(name).column, id.column]
        )
    }

    package func setAttribute(
        _ name: String,
        to value: String?,
        of id: AccountID,
        in transaction: borrowing Transaction
    ) throws {
        guard let value else {
            try transaction.connection().change(
                "DELETE FROM account_attributes WHERE account = ? AND name = ?",
                [id.column, name.column]
            )
            return
        }
        try transaction.connection().change(
            """
            INSERT INTO account_attributes (account, name, value) VALUES (?1, ?2, ?3)
            ON CONFLICT (account, name) DO UPDATE SET value = ?3
            """,
            [id.column, name.column, value.column]
        )
    }

    package func passwordHash(of id: AccountID, in transaction: borrowing Transaction) throws -> Secret? {
        let hash = try transaction.connection().first(
            "SELECT password_hash FROM accounts WHERE id = ?",
            [id.column]
        ) { try $0.optionalText("password_hash") }
        return (hash ?? nil).map { Secret($0) }
    }

    package func setPasswordHash(_ hash: Secret?, of id: AccountID, in transaction: borrowing Transaction) throws {
        try transaction.connection().change(
            "UPDATE accounts SET password_hash = ? WHERE id = ?",
            [hash.column { $0.expose().column }, id.column]
        )
    }

    package func replaceEmails(
        with email: VerifiedEmail,
        of id: AccountID,
        in transaction: borrowing Transaction
    ) throws {
        let writer = try transaction.connection()
        try writer.change("DELETE FROM identifiers WHERE kind = 'email' AND account = ?", [id.column])
        try writer.change("DELETE FROM address_claims WHERE account = ?", [id.column])
        try insert(email, of: id, in: writer)
    }

    package func close(_ id: AccountID, in transaction: borrowing Transaction) throws {
        let writer = try transaction.connection()
        try writer.change("DELETE FROM identifiers WHERE account = ?", [id.column])
        try writer.change("DELETE FROM address_claims WHERE account = ?", [id.column])
        try writer.change("DELETE FROM account_attributes WHERE account = ?", [id.column])
        try writer.change(
            """
            UPDATE accounts SET display_name = ?, folded_name = ?, state = 'disabled', password_hash = NULL,
                password_origin = NULL
            WHERE id = ?
            """,
            [Account.closedName.column, AccountSearch.folded(Account.closedName).column, id.column]
        )
    }
}
