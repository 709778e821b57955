extension Migration {
    /// What a session is bound to, and why it ended.
    static let refreshFamilies = Migration(
        version: 10,
        name: "refresh families",
        sqlite: """
            ALTER TABLE sessions ADD COLUMN binding TEXT NOT NULL DEFAULT 'none'
                CHECK (binding IN ('none', 'device-key'));
            ALTER TABLE sessions ADD COLUMN revoked_because TEXT
                CHECK (revoked_because IN ('signed_out', 'signed_out_everywhere', 'refresh_reuse', 'not_me',
                    'account_disabled'));
            """
    )
}
