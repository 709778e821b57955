extension Migration {
    /// Who replaced a refresh token, what a device's key has counted lately, and sessions that end with their device.
    ///
    /// SQLite can't change a CHECK in place, so the column of reasons is made anew.
    static let refreshProofs = Migration(
        version: 15,
        name: "refresh proofs",
        sqlite: """
            ALTER TABLE refresh_tokens ADD COLUMN is_rotation_proven INTEGER NOT NULL DEFAULT 0
                CHECK (is_rotation_proven IN (0, 1));

            ALTER TABLE sessions ADD COLUMN ended_because TEXT
                CHECK (ended_because IN ('signed_out', 'signed_out_everywhere', 'refresh_reuse', 'not_me',
                    'account_disabled', 'device_revoked'));
            UPDATE sessions SET ended_because = revoked_because WHERE revoked_because IS NOT NULL;
            ALTER TABLE sessions DROP COLUMN revoked_because;
            ALTER TABLE sessions RENAME COLUMN ended_because TO revoked_because;

            CREATE TABLE device_counts (
                device TEXT NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
                count INTEGER NOT NULL,
                PRIMARY KEY (device, count)
            ) STRICT, WITHOUT ROWID;
            INSERT INTO device_counts (device, count) SELECT device, last_count FROM device_keys WHERE last_count > 0;
            """
    )
}
