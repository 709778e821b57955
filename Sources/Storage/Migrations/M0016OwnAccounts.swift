extension Migration {
    /// Accounts that people open themselves: addresses that are not proved yet, tries at secrets, and why sessions end.
    static let ownAccounts = Migration(
        version: 16,
        name: "own accounts",
        sqlite: """
            CREATE TABLE lockouts (
                subject BLOB PRIMARY KEY NOT NULL CHECK (length(subject) = 32),
                tries INTEGER NOT NULL CHECK (tries > 0),
                last_tried_at INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX lockouts_by_try ON lockouts (last_tried_at);

            CREATE TABLE address_claims (
                account TEXT PRIMARY KEY NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                value TEXT NOT NULL,
                claimed_at INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;

            ALTER TABLE sessions RENAME COLUMN revoked_because TO revoked_before;
            ALTER TABLE sessions ADD COLUMN revoked_because TEXT
                CHECK (revoked_because IN ('signed_out', 'signed_out_everywhere', 'refresh_reuse', 'not_me',
                    'account_disabled', 'device_revoked', 'password_changed', 'address_proved'));
            UPDATE sessions SET revoked_because = revoked_before WHERE revoked_before IS NOT NULL;
            ALTER TABLE sessions DROP COLUMN revoked_before;
            """
    )
}
