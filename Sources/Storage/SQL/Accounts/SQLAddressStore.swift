package import Accounts
package import Kernel

/// The store of accounts' addresses: confirmed ones, and those that are only claimed.
package struct SQLAddressStore: AddressStore {
    package init() {}

    package func addresses(of account: AccountID, in transaction: borrowing Transaction) throws -> [VerifiedEmail] {
        try transaction.connection().all(
            """
            SELECT value, is_verified FROM identifiers WHERE account = ?1 AND kind = 'email'
            UNION ALL SELECT value, 0 AS is_verified FROM address_claims WHERE account = ?1 ORDER BY value
            """,
            [account.column]
        ) { try $0.verifiedEmail() }.compactMap(\.self)
    }

    package func claim(
        _ email: EmailAddress,
        for account: AccountID,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws {
        try transaction.connection().change(
            """
            INSERT INTO address_claims (account, value, claimed_at) VALUES (?1, ?2, ?3)
            ON CONFLICT (account) DO UPDATE SET value = ?2, claimed_at = ?3
            """,
            [account.column, email.text.column, now.column]
        )
    }

    package func markVerified(
        _ email: EmailAddress,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        let writer = try transaction.connection()
        let isOwn = try writer.change(
            """
            UPDATE identifiers SET is_verified = 1
            WHERE kind = 'email' AND value = ? AND account = ? AND is_verified = 0
            """,
            [email.text.column, account.column]
        )
        return try isOwn == 1 || settleClaim(email, of: account, in: writer)
    }

    /// Gives the account an address that it claims, if no account has it yet; returns whether it did so.
    private func settleClaim(_ email: EmailAddress, of account: AccountID, in writer: SQLConnection) throws -> Bool {
        let claimed = try writer.change(
            "DELETE FROM address_claims WHERE account = ? AND value = ?",
            [account.column, email.text.column]
        )
        guard claimed == 1 else { return false }
        return try writer.insert("email", email.text, of: account, isVerified: true)
    }

    package func dropOthers(
        than email: EmailAddress,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> [VerifiedEmail] {
        let writer = try transaction.connection()
        let dropped = try writer.all(
            "SELECT value, is_verified FROM identifiers WHERE account = ? AND kind = 'email' AND value <> ?",
            [account.column, email.text.column]
        ) { try $0.verifiedEmail() }
        try writer.change(
            "DELETE FROM identifiers WHERE account = ? AND kind = 'email' AND value <> ?",
            [account.column, email.text.column]
        )
        try writer.change("DELETE FROM address_claims WHERE account = ?", [account.column])
        return dropped.compactMap(\.self)
    }

    package func unverifiedAccounts(
        openedWith email: EmailAddress,
        limit: Int,
        in transaction: borrowing Transaction
    ) throws -> [AccountID] {
        try transaction.connection().all(
            """
            SELECT accounts.id FROM address_claims JOIN accounts ON accounts.id = address_claims.account
            WHERE address_claims.value = ? AND accounts.state = 'active'
                AND NOT EXISTS (SELECT 1 FROM identifiers WHERE identifiers.account = accounts.id)
            ORDER BY address_claims.claimed_at, accounts.id LIMIT ?
            """,
            [email.text.column, limit.column]
        ) { try $0.id("id") }
    }

    package func isTaken(
        _ email: EmailAddress,
        besides account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try transaction.connection().exists(
            "SELECT 1 FROM identifiers WHERE kind = 'email' AND value = ? AND account <> ?",
            [email.text.column, account.column]
        )
    }
}
