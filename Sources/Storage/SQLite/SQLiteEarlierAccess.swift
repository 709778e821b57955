package import Kernel

/// What lies in several tables of the devices and faces that an account was given, to be taken away at once.
package struct SQLiteEarlierAccess: Sendable {
    package init() {}

    /// Revokes every device of the account, with its key and its cookie, and every face.
    package func end(_ account: AccountID, at now: Instant, in transaction: borrowing Transaction) throws {
        let writer = try transaction.database()
        try writer.change(
            "UPDATE device_links SET revoked_at = ? WHERE account = ? AND revoked_at IS NULL",
            [now.column, account.column]
        )
        try writer.change(
            "UPDATE devices SET revoked_at = ? WHERE account = ? AND revoked_at IS NULL",
            [now.column, account.column]
        )
        try writer.change(
            "UPDATE enrolments SET state = 'revoked' WHERE account = ? AND state = 'active'",
            [account.column]
        )
    }
}
