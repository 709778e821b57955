package import Accounts
import GRDB
package import Kernel

/// The addresses of accounts in SQLite, and what was set up before one was proven.
package struct SQLiteAddressStore: AddressStore {
    package init() {}

    package func addresses(of account: AccountID, in transaction: borrowing Transaction) throws -> [VerifiedEmail] {
        try transaction.database().all(
            """
            SELECT value, is_verified FROM identifiers WHERE account = ?1 AND kind = 'email'
            UNION ALL SELECT value, 0 FROM address_claims WHERE account = ?1 ORDER BY value
            """,
            [account.column]
        ) { columns in
            let text = try columns.text()
            let isVerified = try columns.integer() == 1
            return EmailAddress(text).map { VerifiedEmail(address: $0, isVerified: isVerified) }
        }.compactMap(\.self)
    }

    package func markVerified(
        _ email: EmailAddress,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        let writer = try transaction.database()
        let isOwn = try writer.change(
            """
            UPDATE identifiers SET is_verified = 1
            WHERE kind = 'email' AND value = ? AND account = ? AND is_verified = 0
            """,
            [email.text.column, account.column]
        )
        return try isOwn == 1 || settleClaim(email, account, writer)
    }

    /// Whether the account claims the address, and nobody has it: then it is the account's.
    private func settleClaim(_ email: EmailAddress, _ account: AccountID, _ writer: Database) throws -> Bool {
        let claimed = try writer.change(
            "DELETE FROM address_claims WHERE account = ? AND value = ?",
            [account.column, email.text.column]
        )
        guard claimed == 1 else { return false }
        return try writer.change(
            """
            INSERT INTO identifiers (kind, value, account, is_verified) VALUES ('email', ?, ?, 1)
            ON CONFLICT DO NOTHING
            """,
            [email.text.column, account.column]
        ) == 1
    }

    /// The account's registered devices that are not revoked.
    package func devices(of account: AccountID, in transaction: borrowing Transaction) throws -> [DeviceID] {
        try transaction.database().all(
            "SELECT id FROM devices WHERE account = ? AND revoked_at IS NULL",
            [account.column]
        ) { try $0.id() }
    }

    /// Unlinks every browser of the account, and forgets its password and its names and faces at providers.
    package func removeAccess(of account: AccountID, at now: Instant, in transaction: borrowing Transaction) throws {
        let writer = try transaction.database()
        try writer.change(
            "UPDATE device_links SET revoked_at = ? WHERE account = ? AND revoked_at IS NULL",
            [now.column, account.column]
        )
        try writer.change("UPDATE accounts SET password_hash = NULL WHERE id = ?", [account.column])
        try writer.change("DELETE FROM enrolments WHERE account = ?", [account.column])
    }
}
