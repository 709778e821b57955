extension Migration {
    /// One more reason for which a session ends.
    ///
    /// SQLite can't change a CHECK in place, so the column is made anew.
    static let passkeyRemoved = Migration(
        version: 28,
        name: "passkey removed",
        sqlite: """
            ALTER TABLE sessions RENAME COLUMN revoked_because TO earlier_reason;
            ALTER TABLE sessions ADD COLUMN revoked_because TEXT
                CHECK (revoked_because IN ('signed_out', 'signed_out_everywhere', 'refresh_reuse', 'not_me',
                    'account_disabled', 'device_revoked', 'password_changed', 'address_proved', 'revoked_by_operator',
                    'passkey_removed'));
            UPDATE sessions SET revoked_because = earlier_reason WHERE earlier_reason IS NOT NULL;
            ALTER TABLE sessions DROP COLUMN earlier_reason;
            """
    )
}
